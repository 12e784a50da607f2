import { member } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import { writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffLaterTurnsUntold: Mutant = {
  id: 'handoff-later-turns-untold',
  breaks: 'Only the first decision for a worker is told.',
  kills: ['handoff.loop.turns'],
  parts: writingSteps(({ kind, drafts, earlier }) =>
    kind === 'decided' && kindOf(drafts) === 'next-worker' && kindOf(earlier) === 'next-worker' ? [] : drafts,
  ),
};

/** The kind of the last decision among these. */
function kindOf(drafts: readonly EventDraft[]): unknown {
  const decided = drafts.findLast(({ type }) => type === 'runOrchestrator.decided');
  return member(member(decided?.payload, 'decision'), 'kind');
}
