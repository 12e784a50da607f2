import { member } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import type { HostParts } from '../../parts.ts';
import { type Defects, type Parts } from '../mutant.ts';
import { CHAIN, phaseOf, writingPhase, writingSteps } from '../shared/handoff-parts.ts';
import { EXECUTION_MODEL, advertisingWith } from '../shared/discovery-parts.ts';
import { recalling, withPayload } from '../shared/replay-parts.ts';

/** Writes other events where no decision leads to a handoff. */
function ofSubWorkflows(instead: (drafts: readonly EventDraft[]) => readonly EventDraft[]): Parts {
  return writingSteps(({ kind, drafts, earlier }) => {
    const isDecided = kind === 'decided' || earlier.some(({ type }) => type === 'runOrchestrator.decided');
    return isDecided ? drafts : instead(drafts);
  });
}

/** Writes others in the place of some events of branches. */
function writtenInBranches(
  isMeant: (draft: EventDraft) => boolean,
  instead: (draft: EventDraft) => readonly EventDraft[],
): Parts {
  return ({ written }) => ({
    written: (draft, writing) => {
      const drafts = written(draft, writing);
      return writing.run.fork?.mode === 'branch'
        ? drafts.flatMap((each) => (isMeant(each) ? instead(each) : [each]))
        : drafts;
    },
  });
}

type Written = HostParts['written'];

/** Says that it does not support the execution model, and tells some of its transitions alone. */
function unsupportedTelling(isTold: (...written: Parameters<Written>) => boolean): Parts {
  return (conformant) => ({
    ...advertisingWith(EXECUTION_MODEL, { supported: false })(conformant),
    written: (...given) => conformant.written(...given).filter((each) => each.type !== CHAIN || isTold(each, given[1])),
  });
}

/** Transitions that are missing or too many. */
export const defects: Defects = {
  'handoff-untold': {
    breaks: 'A host that supports the execution model tells no transition of its handoffs.',
    kills: ['handoff.happy-path', 'handoff.dispatch-failure'],
    parts: writingSteps(({ drafts }) => drafts.filter(({ type }) => type !== CHAIN)),
  },
  'handoff-of-a-branch-untold': {
    breaks: 'A branch tells no transition of the handoffs behind its fork point.',
    kills: ['handoff.happy-path.branch'],
    parts: writtenInBranches(
      ({ type }) => type === CHAIN,
      () => [],
    ),
  },
  'handoff-of-a-branch-harvests-another-value': {
    breaks: 'What a branch harvests is written with another value.',
    kills: ['handoff.happy-path.branch'],
    parts: writtenInBranches(
      ({ type, payload }) => type === 'variable.changed' && member(payload, 'name') === 'parentResult',
      (draft) => [withPayload(draft, { value: 'another' })],
    ),
  },
  'handoff-of-a-branch-names-another-parent': {
    breaks: 'The transitions of a branch name another run as the parent.',
    kills: ['handoff.happy-path.branch'],
    parts: writtenInBranches(
      ({ type }) => type === CHAIN,
      (draft) => [withPayload(draft, { parentRunId: 'run_other' })],
    ),
  },
  'handoff-begin-left-out': {
    breaks: 'A handoff is reported without dispatch.began.',
    kills: ['handoff.happy-path'],
    parts: writingPhase('dispatch.began', () => []),
  },
  'handoff-success-left-out': {
    breaks: 'A handoff is reported without dispatch.succeeded.',
    kills: ['handoff.happy-path'],
    parts: writingPhase('dispatch.succeeded', () => []),
  },
  'handoff-begins-twice': {
    breaks: 'dispatch.began is written twice.',
    kills: ['handoff.happy-path'],
    parts: writingPhase('dispatch.began', (draft) => [draft, draft]),
  },
  'handoff-completion-before-success': {
    breaks: "A child's completion is reported before its dispatch.",
    kills: ['handoff.happy-path'],
    parts: writingSteps(({ kind, drafts, earlier }) => {
      if (kind === 'dispatch.succeeded') return drafts.filter((draft) => phaseOf(draft) === undefined);
      if (kind !== 'child.ended') return drafts;
      const succeeded = earlier.findLast((draft) => phaseOf(draft) === 'dispatch.succeeded');
      return succeeded === undefined ? drafts : [...drafts, succeeded];
    }),
  },
  'handoff-to-a-sub-workflow-begins-twice': {
    breaks: 'core.subWorkflow writes dispatch.began twice.',
    kills: ['handoff.happy-path.sub-workflow'],
    parts: ofSubWorkflows((drafts) =>
      drafts.flatMap((draft) => (phaseOf(draft) === 'dispatch.began' ? [draft, draft] : [draft])),
    ),
  },
  'handoff-of-a-later-turn-unharvested': {
    breaks: 'The harvests of later turns are made and not reported.',
    kills: ['handoff.happy-path.turns'],
    parts: writingPhase('output.harvested', (draft, { turn }) => (turn > 0 ? [] : [draft])),
  },
  'handoff-failure-told-twice': {
    breaks: 'A failed dispatch is reported twice.',
    kills: ['handoff.dispatch-failure'],
    parts: writingPhase('dispatch.failed', (draft) => [draft, draft]),
  },
  'handoff-failure-untold': {
    breaks: 'A failed dispatch is reported nowhere.',
    kills: ['handoff.dispatch-failure'],
    parts: writingPhase('dispatch.failed', () => []),
  },
  'handoff-failure-then-success': {
    breaks: 'A failed dispatch is followed by dispatch.succeeded.',
    kills: ['handoff.dispatch-failure'],
    parts: writingPhase('dispatch.failed', (draft) => [draft, withPayload(draft, { phase: 'dispatch.succeeded' })]),
  },
  'handoff-unsupported-and-told': {
    breaks: 'A host tells its handoffs although it says that it does not support the execution model.',
    kills: ['handoff.not-unless-supported'],
    parts: advertisingWith(EXECUTION_MODEL, { supported: false }),
  },
  'handoff-unsupported-and-told-of-failures': {
    breaks: 'A host without the execution model tells the dispatches that fail alone.',
    kills: ['handoff.not-unless-supported'],
    parts: (conformant) => ({
      ...advertisingWith(EXECUTION_MODEL, { supported: false })(conformant),
      ...writingSteps(({ drafts }) =>
        drafts.filter((draft) => draft.type !== CHAIN || phaseOf(draft) === 'dispatch.failed'),
      )(conformant),
    }),
  },
  'handoff-unsupported-and-told-in-children': {
    breaks: 'A host without the execution model tells the handoffs of runs that were dispatched themselves.',
    kills: ['handoff.not-unless-supported'],
    parts: unsupportedTelling((_draft, { run }) => run.dispatchedBy !== undefined),
  },
  'handoff-unsupported-and-told-in-forks': {
    breaks: 'A host without the execution model tells the handoffs of forks.',
    kills: ['handoff.not-unless-supported'],
    parts: unsupportedTelling((_draft, { run }) => run.fork !== undefined),
  },
  'handoff-replay-dispatches-again': {
    breaks: 'A replay dispatches the workers of its source again.',
    kills: ['handoff.replays'],
    parts: recalling('core.dispatch.', () => undefined),
  },
  'handoff-replayed-replay-dispatches-again': {
    breaks: 'A replay of a replay dispatches the workers of its source again.',
    kills: ['handoff.replays'],
    parts: recalling('core.dispatch.', (recorded, { ofFork }) => (ofFork ? undefined : recorded)),
  },
};
