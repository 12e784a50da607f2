import { member } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import { type Defects, within } from '../mutant.ts';
import { writingSteps } from '../shared/handoff-parts.ts';

/** Decisions and turns. */
export const defects: Defects = {
  'handoff-second-worker-dropped': {
    breaks: 'Of the workers that a decision names only the first is dispatched.',
    kills: ['handoff.happy-path.two-workers'],
    parts: within('handoff', ({ turns }) => ({
      turns: (plan) =>
        turns(plan).map((decision) =>
          decision.nextWorkerIds === undefined
            ? decision
            : { ...decision, nextWorkerIds: decision.nextWorkerIds.slice(0, 1) },
        ),
    })),
  },
  'handoff-decided-twice': {
    breaks: 'A turn emits its decision twice.',
    kills: ['handoff.loop'],
    parts: writingSteps(({ kind, drafts }) => (kind === 'decided' ? [...drafts, ...drafts] : drafts)),
  },
  'handoff-decisions-untold': {
    breaks: 'Supervisors decide and do not tell it.',
    kills: ['handoff.loop'],
    parts: writingSteps(({ kind, drafts }) => (kind === 'decided' ? [] : drafts)),
  },
  'handoff-later-turns-untold': {
    breaks: 'Only the first decision for a worker is reported.',
    kills: ['handoff.loop.turns'],
    parts: writingSteps(({ kind, drafts, earlier }) =>
      kind === 'decided' && kindOf(drafts) === 'next-worker' && kindOf(earlier) === 'next-worker' ? [] : drafts,
    ),
  },
  'handoff-goes-on-after-terminate': {
    breaks: 'Another worker is dispatched after the decision to terminate.',
    kills: ['handoff.loop'],
    waits: true,
    parts: within('handoff', ({ turns }) => ({
      turns: (plan) => {
        const taken = turns(plan);
        return [...taken, ...taken.filter(({ kind }) => kind === 'next-worker')];
      },
    })),
  },
  'handoff-loops-once': {
    breaks: 'A supervisor decides once, and is not asked again.',
    kills: ['handoff.loop'],
    parts: within('handoff', ({ turns }) => ({ turns: (plan) => turns(plan).slice(0, 1) })),
  },
  'handoff-clarify-goes-on': {
    breaks: 'A decision to clarify does not suspend the run.',
    kills: ['handoff.loop.clarify'],
    parts: within('handoff', () => ({ asks: ({ kind }) => kind === 'escalate' })),
  },
  'handoff-escalate-goes-on': {
    breaks: 'A decision to escalate does not suspend the run.',
    kills: ['handoff.loop.escalate'],
    parts: within('handoff', () => ({ asks: ({ kind }) => kind === 'clarify' })),
  },
  'handoff-decides-again-after-the-answer': {
    breaks: 'When somebody has answered, the decision that asked is made again.',
    kills: ['handoff.loop.clarify'],
    parts: writingSteps(({ kind, drafts, earlier }) => {
      if (kind !== 'answered' || !drafts.some(({ type }) => type === 'interrupt.resolved')) return drafts;
      return [...drafts, ...earlier.filter(({ type }) => type === 'runOrchestrator.decided').slice(-1)];
    }),
  },
};

/** The kind of the last decision among these. */
function kindOf(drafts: readonly EventDraft[]): unknown {
  const decided = drafts.findLast(({ type }) => type === 'runOrchestrator.decided');
  return member(member(decided?.payload, 'decision'), 'kind');
}
