import { isDeepStrictEqual } from 'node:util';
import { isObject, member, stringMember } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import type { EventDraft, RunEvent } from '../../store/event.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { EXECUTION_MODEL, REPLAY_DETERMINISM, advertising, advertisingWith } from '../shared/discovery-parts.ts';
import { BOTH_CONTRACTS, goingOnWith, isOfRefused, raising, raisingAgain } from '../shared/refusal-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { knowingForks } from '../shared/run-memory.ts';
import { changingFrames } from '../shared/run-wire.ts';

const RAISED = 'replay.divergedAtRefusal';

/** Shows replay.divergedAtRefusal behind the event that ends its run: last in lists, and too late for streams. */
function movingToTheEnd(next: Fetch): Fetch {
  return async (request) => {
    const response = await next(request);
    if (!/\/events(\/poll)?$/.test(new URL(request.url).pathname) || response.status !== 200) return response;
    return response.headers.get('content-type')?.startsWith('text/event-stream') === true
      ? changingFrames(response, (event) => (isRaised(event) ? [] : [event]))
      : laterInList(response);
  };
}

async function laterInList(response: Response): Promise<Response> {
  const body: unknown = await response.json();
  const events = member(body, 'events');
  if (!Array.isArray(events) || !isObject(body)) return Response.json(body);
  const behind = Number(member(events.at(-1), 'sequence')) + 1;
  const late = events
    .filter(isRaised)
    .map((event: unknown) => ({ ...(isObject(event) ? event : {}), sequence: behind }));
  return Response.json({ ...body, events: [...events.filter((event) => !isRaised(event)), ...late] });
}

/** Shows a number for the event that stands behind the run's end. */
function numberingAfterTheEnd(isMeant: (event: RunEvent) => boolean): Parts {
  return ({ eventOnWire }) => ({
    eventOnWire: (event, reading) =>
      eventOnWire(isRaised(event) && isMeant(event) ? { ...event, sequence: event.sequence + 1_000 } : event, reading),
  });
}

function isRaised(event: unknown): boolean {
  return member(event, 'type') === RAISED;
}

const LLM_NODES: ReadonlySet<string> = new Set(['gated-call', 'provider-call', 'structured-call']);

/** When the divergence event is emitted, and what follows. */
export const defects: Defects = {
  'refusal-taken-in-silence': {
    breaks: 'A replay that is refused fails as a live run does, without a word about the divergence.',
    kills: ['refusal.valid-to-refusal'],
    parts: goingOnWith('refusal'),
  },
  'valid-answer-taken-in-silence': {
    breaks: 'A replay whose source was refused completes with the answer that it gets now.',
    kills: ['refusal.refusal-to-valid'],
    parts: goingOnWith('valid'),
  },
  'refusal-of-other-nodes-in-silence': {
    breaks:
      'Only structured calls look at the kind of an envelope: chats and tool-calling nodes go on with what they get.',
    kills: ['refusal.valid-to-refusal.kinds', 'refusal.refusal-to-valid.kinds'],
    parts: within('refusal', ({ onDivergence }) => ({
      onDivergence: (divergence) =>
        /^(?:chat|tool-calling)-/u.test(divergence.nodeId) ? 'go on' : onDivergence(divergence),
    })),
  },
  'refusal-in-a-longer-graph-in-silence': {
    breaks:
      'A replay that is refused behind another model call fails as a live run does, without a word about the divergence.',
    kills: ['refusal.mid-graph'],
    parts: within('refusal', ({ onDivergence }) => ({
      onDivergence: (divergence) => (divergence.nodeId === 'second-call' ? 'go on' : onDivergence(divergence)),
    })),
  },
  'refusal-of-the-first-of-several-in-silence': {
    breaks: 'A replay whose first model call of several is refused says nothing of the divergence.',
    kills: ['refusal.mid-graph.other-calls'],
    parts: within('refusal', ({ onDivergence }) => ({
      onDivergence: (divergence) => (divergence.nodeId === 'first-call' ? 'go on' : onDivergence(divergence)),
    })),
  },
  'refusal-of-the-third-call-in-silence': {
    breaks: 'A replay that is refused behind two other model calls says nothing of the divergence.',
    kills: ['refusal.mid-graph.other-calls'],
    parts: within('refusal', ({ onDivergence }) => ({
      onDivergence: (divergence) => (divergence.nodeId === 'third-call' ? 'go on' : onDivergence(divergence)),
    })),
  },
  'refusal-of-a-replay-of-a-replay-in-silence': {
    breaks: 'A replay of a replay that meets the other kind of envelope says nothing of the divergence.',
    kills: BOTH_CONTRACTS,
    parts: knowingForks((modeOf) =>
      within('refusal', ({ onDivergence }) => ({
        onDivergence: (divergence) =>
          modeOf(divergence.sourceRunId) === 'replay' ? 'go on' : onDivergence(divergence),
      })),
    ),
  },
  'refusal-of-a-replay-raised-twice': {
    breaks: 'A replay of a replay that meets the other kind of envelope says so twice.',
    kills: ['refusal.distinct-event.valid-to-refusal'],
    parts: raisingAgain((raised) => [raised, raised]),
  },
  'refusal-of-a-replay-completes-the-node': {
    breaks:
      'A replay of a replay that meets the other kind of envelope completes the node that called, and fails then.',
    kills: ['refusal.no-silent-substitution.valid-to-refusal'],
    parts: raisingAgain((raised) => [raised, { ...raised, type: 'node.completed', payload: { output: {} } }]),
  },
  'refusal-as-generic-divergence': {
    breaks: 'A replay that met the other kind of envelope says so with replay.diverged.',
    kills: ['refusal.distinct-event.valid-to-refusal'],
    parts: raising((raised) => [{ ...raised, type: 'replay.diverged' }]),
  },
  'refusal-with-generic-divergence': {
    breaks: 'A replay that met the other kind of envelope says so with both events.',
    kills: ['refusal.distinct-event.valid-to-refusal'],
    parts: raising((raised) => [raised, { ...raised, type: 'replay.diverged' }]),
  },
  'refusal-raised-twice': {
    breaks: 'A replay that met the other kind of envelope says so twice.',
    kills: ['refusal.distinct-event.valid-to-refusal'],
    parts: raising((raised) => [raised, raised]),
  },
  'answer-raised-twice': {
    breaks: 'A replay that is answered where its source was refused says so twice.',
    kills: ['refusal.distinct-event.refusal-to-valid'],
    parts: raising((raised) => (isOfRefused(raised) ? [raised, raised] : [raised])),
  },
  'refusal-raised-from-start-only': {
    breaks: 'Only replays from the start say that they met the other kind of envelope; others say replay.diverged.',
    kills: ['refusal.distinct-event.valid-to-refusal'],
    parts: raising((raised, { run }) => ((run.fork?.fromSeq ?? 0) > 0 ? [] : [raised])),
  },
  'refusal-at-the-start': {
    breaks: "The event points at the start of the source's log.",
    kills: ['refusal.locates-the-call.valid-to-refusal'],
    parts: raising((raised, { source }) => [withPayload(raised, { atSequence: source()[0]?.sequence ?? 0 })]),
  },
  'refusal-under-another-code': {
    breaks: 'A replay that met the other kind of envelope fails as a live run that was refused.',
    kills: ['refusal.valid-to-refusal'],
    parts: within('refusal', () => ({ errorCode: () => 'envelope_refused' })),
  },
  'refusal-does-not-fail': {
    breaks: 'A replay that met the other kind of envelope says so and completes.',
    kills: BOTH_CONTRACTS,
    parts: ({ written, refusal }) => ({
      written: (draft, writing) => {
        const code = stringMember(member(draft.payload, 'error'), 'code');
        const isRefusal = draft.type === 'run.failed' && code === refusal.errorCode();
        return written(isRefusal ? { type: 'run.completed', payload: {} } : draft, writing);
      },
    }),
  },
  'refusal-does-not-stop': {
    breaks: 'The nodes after the one that met the other kind of envelope run all the same.',
    kills: ['refusal.no-silent-substitution.valid-to-refusal'],
    parts: ({ refusal }) => ({ endsRun: ({ code }) => code !== refusal.errorCode() }),
  },
  'refusal-numbered-after-the-end': {
    breaks: "The event has a number behind that of the run's end.",
    kills: ['refusal.precedes-failure.valid-to-refusal'],
    alsoBreaks: { 'sequence.monotonic': 'its number is not where it stands' },
    parts: numberingAfterTheEnd(() => true),
  },
  'answer-numbered-after-the-end': {
    breaks: "The event has a number behind that of the run's end where the source was refused.",
    kills: ['refusal.precedes-failure.refusal-to-valid'],
    alsoBreaks: { 'sequence.monotonic': 'its number is not where it stands' },
    parts: numberingAfterTheEnd(isOfRefused),
  },
  'refusal-raised-after-the-end': {
    breaks: "The event follows the run's end.",
    kills: ['sequence.single-terminal-event'],
    alsoBreaks: {
      'refusal.valid-to-refusal': 'the run fails before its cause is shown',
      'refusal.refusal-to-valid': 'the run fails before its cause is shown',
      'refusal.precedes-failure.valid-to-refusal': 'the event follows the failure that it has to precede',
      'refusal.precedes-failure.refusal-to-valid': 'the event follows the failure that it has to precede',
    },
    parts: ({ middleware }) => ({ middleware: (next) => middleware(movingToTheEnd(next)) }),
  },
  'alarm-at-other-content': {
    breaks: 'A replay whose model gives another valid envelope claims to have met a refusal.',
    kills: ['refusal.no-false-alarm.valid-to-valid'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { nodeId, payload } = draft;
        const original = writing.source().find((event) => event.type === 'node.completed' && event.nodeId === nodeId);
        const isOther =
          draft.type === 'node.completed' &&
          original !== undefined &&
          LLM_NODES.has(nodeId ?? '') &&
          !isDeepStrictEqual(payload, original.payload);
        const drafts = written(draft, writing);
        return isOther ? [alarm(original, 'valid'), ...drafts] : drafts;
      },
    }),
  },
  'alarm-at-every-answer': {
    breaks: 'A replay claims to have met a refusal wherever its model is answered, from the cache as well.',
    kills: ['refusal.no-false-alarm.valid-to-valid'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { nodeId } = draft;
        const original = writing.source().find((event) => event.type === 'node.completed' && event.nodeId === nodeId);
        const isAnswer = draft.type === 'node.completed' && original !== undefined && LLM_NODES.has(nodeId ?? '');
        const drafts = written(draft, writing);
        return isAnswer ? [alarm(original, 'valid'), ...drafts] : drafts;
      },
    }),
  },
  'alarm-at-the-same-refusal': {
    breaks: 'A replay that is refused like its source claims to have diverged.',
    kills: ['refusal.no-false-alarm.refusal-to-refusal'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { nodeId } = draft;
        const original = writing.source().find((event) => event.type === 'envelope.refusal' && event.nodeId === nodeId);
        const drafts = written(draft, writing);
        const isAgain = draft.type === 'envelope.refusal' && original !== undefined;
        return isAgain ? [alarm(original, 'refusal'), ...drafts] : drafts;
      },
    }),
  },
  'restaging-one-asks-all': {
    breaks: 'Staging one node of a source run again makes its replays ask for the nodes before it as well.',
    kills: ['refusal.mid-graph'],
    parts: ({ llmCache, middleware }) => {
      let staged = 0;
      return {
        llmCache: {
          ...llmCache,
          onReplay: (call) => (call.nodeId === 'first-call' && staged > 1 ? 'ask' : llmCache.onReplay(call)),
        },
        middleware: (next) => middleware(noticing((nodeId) => (staged += nodeId === 'second-call' ? 1 : 0), next)),
      };
    },
  },
  'below-version-four-raises': {
    breaks: 'A host that advertises version 3 emits the event of version 4.',
    kills: ['refusal.not-below-version-four'],
    parts: versionThree,
  },
  'below-version-four-raises-at-answers': {
    breaks: 'A host that advertises version 3 emits the event of version 4 where a replay is answered after a refusal.',
    kills: ['refusal.not-below-version-four'],
    parts: (conformant) => ({
      ...versionThree(conformant),
      ...raising((raised) => (isOfRefused(raised) ? [raised] : []))(conformant),
    }),
  },
  'below-version-four-raises-in-the-middle': {
    breaks: 'A host that advertises version 3 emits the event of version 4 in replays that do not begin at the start.',
    kills: ['refusal.not-below-version-four'],
    parts: (conformant) => ({
      ...versionThree(conformant),
      ...raising((raised, { run }) => ((run.fork?.fromSeq ?? 0) > 0 ? [raised] : []))(conformant),
    }),
  },
  'below-version-four-raises-again': {
    breaks: 'A host that advertises version 3 emits the event of version 4 in replays of replays.',
    kills: ['refusal.not-below-version-four'],
    parts: (conformant) => ({
      ...versionThree(conformant),
      ...knowingForks((modeOf) =>
        raising((raised, { run }) => (modeOf(run.fork?.parentRunId ?? '') === 'replay' ? [raised] : [])),
      )(conformant),
    }),
  },
};

/** Advertises version 3, and nothing of the replays of version 4. */
function versionThree(conformant: HostParts): Partial<HostParts> {
  return {
    discovery: (document) => {
      const older = advertisingWith(EXECUTION_MODEL, { version: 3 })(conformant).discovery?.(document);
      const change = advertising(REPLAY_DETERMINISM, () => undefined)(conformant).discovery;
      return isObject(older) ? change?.(older) : older;
    },
  };
}

/** Tells whose program is staged. */
function noticing(staged: (nodeId: string | undefined) => void, next: Fetch): Fetch {
  return async (request) => {
    if (new URL(request.url).pathname.endsWith('/mock-ai/program')) {
      staged(stringMember(await request.clone().json(), 'nodeId'));
    }
    return next(request);
  };
}

/** A replay.divergedAtRefusal about an event of the source whose envelope the replay has in the same kind. */
function alarm({ runId, sequence, nodeId }: RunEvent, kind: 'valid' | 'refusal'): EventDraft {
  return {
    type: 'replay.divergedAtRefusal',
    ...(nodeId === undefined ? {} : { nodeId }),
    payload: { sourceRunId: runId, atSequence: sequence, originalEnvelopeKind: kind, replayEnvelopeKind: kind },
  };
}
