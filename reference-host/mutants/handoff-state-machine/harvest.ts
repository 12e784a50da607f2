import { type JsonObject, member } from '../../json.ts';
import type { HandoffStep } from '../../policies/handoff.ts';
import type { EventDraft } from '../../store/event.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { phaseOf, writingPhase, writingSteps } from '../shared/handoff-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';

/** From this turn on, what is harvested is written behind the next decision. */
function writtenLater(from: number): Parts {
  return writingSteps(({ kind, drafts, earlier, turn }) => {
    if (kind === 'output.harvested' && turn >= from) return drafts.filter(({ type }) => type !== 'variable.changed');
    if (kind !== 'decided' || turn <= from) return drafts;
    const before = earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
    return [...drafts, ...earlier.slice(before).filter(({ type }) => type === 'variable.changed')];
  });
}

/** What is harvested, and when. */
export const defects: Defects = {
  'handoff-harvest-left-out': {
    breaks: 'A harvest is made and not reported.',
    kills: ['handoff.harvest-exactly-when'],
    parts: writingPhase('output.harvested', () => []),
  },
  'handoff-never-harvested': {
    breaks: 'Completed children are not harvested.',
    kills: ['handoff.harvest-exactly-when'],
    parts: within('handoff', () => ({ harvests: () => false })),
  },
  'handoff-harvested-twice': {
    breaks: 'output.harvested is written twice.',
    kills: ['handoff.harvest-exactly-when'],
    parts: writingPhase('output.harvested', (draft) => [draft, draft]),
  },
  'handoff-sub-workflow-maps-another-value': {
    breaks: 'core.subWorkflow writes the id of its child in the place of what is mapped.',
    kills: ['handoff.output-mapping.sub-workflow'],
    parts: writingSteps(({ drafts, earlier }) => {
      if (earlier.some(({ type }) => type === 'runOrchestrator.decided')) return drafts;
      const value = member(drafts.at(-1)?.payload, 'childRunId');
      return drafts.map((draft) => (draft.type === 'variable.changed' ? withPayload(draft, { value }) : draft));
    }),
  },
  'handoff-harvest-before-completion': {
    breaks: 'A harvest is reported before the completion of the child whose outputs it takes.',
    kills: ['handoff.happy-path'],
    parts: writingSteps(({ kind, drafts, earlier }) => {
      if (kind === 'child.ended') return drafts.filter((draft) => !isCompletion(draft));
      return kind === 'output.harvested' ? [...drafts, ...earlier.filter(isCompletion).slice(-1)] : drafts;
    }),
  },
  'handoff-harvest-of-the-other-worker': {
    breaks: 'Of two workers of one decision, the second is told to be harvested in the place of the first.',
    kills: ['handoff.happy-path.two-workers'],
    parts: writingSteps(harvestingTheOther),
  },
  'handoff-harvests-empty-mapping': {
    breaks: 'A completed child is harvested although its outputMapping is empty.',
    kills: ['handoff.harvest-exactly-when.unmapped'],
    parts: within('handoff', () => ({ harvests: (status) => status === 'completed' })),
  },
  'handoff-harvest-without-values': {
    breaks: 'A harvest is reported, and no variable is written.',
    kills: ['handoff.output-mapping'],
    parts: writingSteps(({ kind, drafts }) =>
      kind === 'output.harvested' ? drafts.filter(({ type }) => type !== 'variable.changed') : drafts,
    ),
  },
  'handoff-values-after-the-decision': {
    breaks: 'Harvested values are written after the next decision.',
    kills: ['handoff.output-mapping'],
    parts: writtenLater(0),
  },
  'handoff-values-of-a-later-turn-after-the-decision': {
    breaks: 'What later turns harvest is written after the next decision.',
    kills: ['handoff.output-mapping.relay'],
    parts: writtenLater(1),
  },
  'handoff-harvested-after-the-decision': {
    breaks: 'A completed child is harvested after the next decision.',
    kills: ['handoff.output-mapping'],
    parts: writingSteps(({ kind, drafts, earlier }) => {
      const before = earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
      if (before === -1) return drafts;
      if (kind === 'output.harvested') return [];
      return kind === 'decided' ? [...drafts, ...earlier.slice(before).flatMap(harvestedLater)] : drafts;
    }),
  },
  'handoff-mapping-reversed': {
    breaks: "outputMapping is read the wrong way round: the parent's name is looked up in the child.",
    kills: ['handoff.output-mapping'],
    parts: within('handoff', ({ output }) => ({
      output: (mapping, child) =>
        output(Object.fromEntries(Object.entries(mapping).map(([to, from]) => [String(from), to])), child),
    })),
  },
  'handoff-maps-the-first-output': {
    breaks: 'Of several outputs that are mapped the first is.',
    kills: ['handoff.output-mapping.relay'],
    parts: within('handoff', ({ output }) => ({
      output: (mapping, child) => Object.fromEntries(Object.entries(output(mapping, child)).slice(0, 1)),
    })),
  },
  'handoff-outputs-of-no-value-lost': {
    breaks: 'An output that is 0 is taken for none.',
    kills: ['handoff.output-mapping.relay'],
    parts: within('handoff', ({ output }) => ({ output: (mapping, child) => withValue(output(mapping, child)) })),
  },
  'handoff-inputs-of-no-value-lost': {
    breaks: 'An input that is 0 is taken for none.',
    kills: ['handoff.output-mapping.relay'],
    parts: within('handoff', ({ input }) => ({ input: (mapping, parent) => withValue(input(mapping, parent)) })),
  },
  'handoff-fails-without-outputs': {
    breaks: 'A run whose child completed fails where no output of the child is mapped.',
    kills: ['handoff.harvest-exactly-when.unmapped'],
    parts: within('handoff', ({ harvests }) => ({
      harvests: (status, mapping) => {
        if (status === 'completed' && Object.keys(mapping).length === 0) throw new TypeError('no outputMapping');
        return harvests(status, mapping);
      },
    })),
  },
  'handoff-input-mapping-ignored': {
    breaks: 'A child is given nothing of its parent.',
    kills: ['handoff.output-mapping.relay'],
    parts: within('handoff', () => ({ input: () => ({}) })),
  },
  'handoff-input-mapping-of-a-worker-ignored': {
    breaks: "A worker's own inputMapping is passed over where there is one for all.",
    kills: ['handoff.output-mapping.inputs'],
    parts: within('handoff', ({ input }) => ({
      input: (mapping, parent) => input(parent.has('defaultX') ? { input: 'defaultX' } : mapping, parent),
    })),
  },
  'handoff-of-a-worker-maps-nothing': {
    breaks: "A worker that hands off itself tells the harvest, and does not take its worker's outputs.",
    kills: ['handoff.output-mapping.nested'],
    parts: ({ written }) => ({
      written: (draft, writing) =>
        writing.run.dispatchedBy !== undefined && member(draft.payload, 'name') === 'parentResult'
          ? []
          : written(draft, writing),
    }),
  },
  'handoff-replay-harvests-silently': {
    breaks: 'A replay does not tell the harvests of its source.',
    kills: ['handoff.replays'],
    parts: ({ written }) => ({
      written: (draft, writing) =>
        phaseOf(draft) === 'output.harvested' && writing.run.fork?.mode === 'replay' ? [] : written(draft, writing),
    }),
  },
};

/** Tells no harvest of two workers when it is made, and that of the first when the second has completed, as the second's. */
function harvestingTheOther({ kind, drafts, earlier }: HandoffStep): readonly EventDraft[] {
  const turn = earlier.slice(earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided'));
  const workers = member(member(turn[0]?.payload, 'decision'), 'nextWorkerIds');
  if (!Array.isArray(workers) || workers.length !== 2) return drafts;
  if (kind === 'output.harvested') return drafts.filter((draft) => phaseOf(draft) !== kind);
  const [harvested, completed] = [
    turn.find((draft) => phaseOf(draft) === 'output.harvested'),
    drafts.find(isCompletion),
  ];
  if (harvested === undefined || completed === undefined) return drafts;
  const { workerId = null, childRunId = null } = completed.payload as JsonObject;
  return [...drafts, withPayload(harvested, { workerId, childRunId })];
}

/** What belongs to a harvest, which the completion of its child has caused, whatever stands between. */
function harvestedLater(draft: EventDraft): readonly EventDraft[] {
  if (draft.type === 'variable.changed') return [draft];
  if (phaseOf(draft) !== 'output.harvested') return [];
  const childRunId = member(draft.payload, 'childRunId');
  return [{ ...draft, causedBy: (event) => isCompletion(event) && member(event.payload, 'childRunId') === childRunId }];
}

function withValue(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Boolean(value)));
}

function isCompletion(draft: Pick<EventDraft, 'type' | 'payload'>): boolean {
  return phaseOf(draft) === 'child.completed';
}
