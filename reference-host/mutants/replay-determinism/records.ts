import { newId } from '../../ids.ts';
import { isObject, member, stringMember } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import type { RecordedAct } from '../../policies/replay.ts';
import { digest, serialise } from '../../recipe/cache-key.ts';
import type { EventDraft, EventType } from '../../store/event.ts';
import type { Observation } from '../../store/observations.ts';
import type { RunRecord } from '../../store/runs.ts';
import { refusal, respond } from '../../types/answers.ts';
import { type Defect, type Defects, type Parts, within } from '../mutant.ts';
import { recalling, recallingEvents, withPayload } from '../shared/replay-parts.ts';
import { knowingForks, noticing, noticingCancellations } from '../shared/run-memory.ts';

/** Nodes of fixtures that do nothing. */
const IDLE: ReadonlySet<string> = new Set(['a', 'b', 'c', 'noop']);

/** Replays write other members into events of one type of these nodes, and do not say so. */
function writingInReplays(type: EventType, nodes: ReadonlySet<string>, members: object): Parts {
  const isOf = (draft: EventDraft): boolean => nodes.has(draft.nodeId ?? '');
  return ({ written, replay }) => ({
    replay: { ...replay, diverged: (report) => (isOf(report) ? [] : replay.diverged(report)) },
    written: (draft, writing) => {
      const isChanged = writing.run.fork?.mode === 'replay' && draft.type === type && isOf(draft);
      return written(isChanged ? withPayload(draft, members) : draft, writing);
    },
  });
}

/** Makes a run of its own for somebody, where something is asked for, and waits for its end. */
async function carriedOut(asked: object | undefined, { url, headers }: Request, host: Fetch): Promise<void> {
  if (asked === undefined) return;
  const authorization = headers.get('authorization') ?? '';
  const body = JSON.stringify(asked);
  const made = await host(new Request(new URL('/v1/runs', url), { method: 'POST', headers: { authorization }, body }));
  const run: unknown = await made.json();
  const events = new URL(`/v1/runs/${stringMember(run, 'runId') ?? ''}/events`, url);
  await (await host(new Request(events, { headers: { authorization, accept: 'text/event-stream' } }))).text();
}

/** Replays call a tool again unless its record serves. */
function recallingTools(serves: (recorded: Observation) => boolean): Parts {
  return recalling('core.tool.http', (recorded, { nodeId }) =>
    nodeId !== 'call-tool' || serves(recorded) ? recorded : undefined,
  );
}

type Serving = (recorded: Observation, act: RecordedAct) => boolean;

/** Replays ask again what was answered unless the record serves. */
function recallingAnswers(serves: Serving): Parts {
  return recalling('core.interrupt.answer', (recorded, act) => (serves(recorded, act) ? recorded : undefined));
}

/** A defect that does so, and a part of the row about it. */
function askingAgain(what: string, serves: Serving = () => false, part = ''): Defect {
  const kills = [`replay.interrupt-short-circuits${part}`];
  return { breaks: `A replay ${what}.`, kills, waits: true, parts: recallingAnswers(serves) };
}

/** The same of answers that count as nothing. */
function losing(answer: string, isLost: (value: unknown) => boolean): Defect {
  return askingAgain(`asks again what was answered with ${answer}`, ({ value }) => !isLost(value), '.empty-answer');
}

const [ANSWER, FORK] = [/^\/v1\/runs\/([^/:]+)\/interrupts\//, /^\/v1\/runs\/([^/:]+):fork$/];

/** Whoever answers a fork is heard, and what its source was answered counts. */
const answeringAsSources: Parts = ({ middleware }) => ({
  middleware: (next) => {
    const answers = new Map<string, string>();
    const sources = new Map<string, string>();
    return middleware(async (request) => {
      const { pathname } = new URL(request.url);
      const [, source] = FORK.exec(pathname) ?? [];
      const [, asked] = ANSWER.exec(pathname) ?? [];
      if (request.method !== 'POST' || (source ?? asked) === undefined) return next(request);
      const text = await request.text();
      const given = asked === undefined ? undefined : answers.get(sources.get(asked) ?? '');
      if (asked !== undefined && given === undefined) answers.set(asked, text);
      const headers = new Headers(request.headers);
      headers.delete('content-length');
      const response = await next(new Request(request.url, { method: 'POST', headers, body: given ?? text }));
      if (source === undefined || text.includes('"branch"')) return response;
      const made: unknown = await response.clone().json();
      sources.set(String(member(made, 'runId')), source);
      return response;
    });
  },
});

/** What was answered to branches is recorded, and counts for nothing in replays. */
const forgettingAnswersOfBranches: Parts = knowingForks((modeOf) => (conformant) => {
  const forgotten = new Set<string>();
  const isForgotten = (value: unknown): boolean => isObject(value) && forgotten.has(serialise(value));
  return {
    ...recallingAnswers(({ value }) => !isForgotten(value))(conformant),
    middleware: (next) =>
      conformant.middleware(async (request) => {
        const [, asked = ''] = ANSWER.exec(new URL(request.url).pathname) ?? [];
        const answer = modeOf(asked) === 'branch' ? member(await request.clone().json(), 'resumeValue') : undefined;
        if (isObject(answer)) forgotten.add(serialise(answer));
        return next(request);
      }),
  };
});

/** What a replay takes from the records. */
export const defects: Defects = {
  'times-of-replays-their-own': {
    breaks:
      'A replay reads the clock again, says of a wait that it took longer than the record says, and does not report the latter.',
    kills: ['replay.logical-clock'],
    parts: (conformant) => {
      const { replay } = conformant;
      return recalling('core.', (recorded, { request }) => {
        if (request['kind'] === 'core.clock') return undefined;
        const waitedMs = Number(member(recorded.value, 'waitedMs')) + 1;
        return request['kind'] === 'core.delay' ? { ...recorded, value: { waitedMs } } : recorded;
      })({
        ...conformant,
        replay: { ...replay, diverged: (report) => (report.nodeId === 'wait' ? [] : replay.diverged(report)) },
      });
    },
  },
  'clock-read-again': {
    breaks: 'A replay reads the clock again.',
    kills: ['replay.logical-clock'],
    parts: recalling('core.clock', () => undefined),
  },
  'interrupt-asked-again': askingAgain('asks again what was answered'),
  'interrupt-asked-again-by-replays-of-replays': askingAgain(
    'of a replay asks again what was answered',
    (_, { ofFork }) => !ofFork,
  ),
  'interrupt-asked-again-by-replays-of-branches': {
    breaks: 'A replay of a branch asks again what the branch was answered.',
    kills: ['fork.branch-is-independent.replayed'],
    waits: true,
    parts: forgettingAnswersOfBranches,
  },
  'interrupt-answer-zero-lost': losing('0', (value) => value === 0),
  'interrupt-answer-false-lost': losing('false', (value) => value === false),
  'interrupt-answer-null-lost': losing('null', (value) => value === null),
  'interrupt-answer-empty-text-lost': losing('an empty text', (value) => value === ''),
  'interrupt-answer-empty-list-lost': losing('an empty list', (value) => Array.isArray(value) && value.length === 0),
  'interrupt-of-a-supervisor-asked-again': askingAgain(
    'asks again what a supervisor asked',
    (_, { nodeId }) => nodeId !== 'dispatch',
    '.supervisor',
  ),
  'interrupt-later-question-asked-again': askingAgain(
    'asks again what was answered behind the first question of a node',
    (_, { request }) => !/-[2-9]$/u.test(String(member(request, 'key'))),
    '.own-keys',
  ),
  'interrupt-asked-again-in-vain': {
    breaks: 'A replay asks again what was answered, and goes on with the recorded answer, whatever it is given.',
    kills: ['replay.interrupt-short-circuits'],
    waits: true,
    parts: (conformant) => ({
      ...recallingAnswers(() => false)(conformant),
      ...answeringAsSources(conformant),
    }),
  },
  'interrupt-asked-again-for-nobody': {
    breaks: 'A replay asks again what a gate was answered, and takes no answer.',
    kills: ['replay.interrupt-short-circuits'],
    waits: true,
    parts: knowingForks((modeOf) => (conformant) => ({
      ...recallingAnswers((_, { request }) => member(request, 'key') !== 'gate')(conformant),
      middleware: (next) =>
        conformant.middleware(async (request) => {
          const [, asked = ''] = ANSWER.exec(new URL(request.url).pathname) ?? [];
          if (modeOf(asked) !== 'replay' || !request.url.endsWith('/gate')) return next(request);
          return respond(refusal(409, 'no_open_interrupt', 'Nothing waits for this answer.'));
        }),
    })),
  },
  'interrupt-other-value': {
    breaks: 'A replay goes on with another answer than the recorded one.',
    kills: ['replay.interrupt-short-circuits.recorded-value'],
    parts: recalling('core.interrupt.answer', (recorded) => ({ ...recorded, value: { approved: false } })),
  },
  'interrupt-answer-empty-object-lost': losing(
    'an object that has no members',
    (value) => isObject(value) && Object.keys(value).length === 0,
  ),
  'interrupt-answer-members-lost': {
    breaks: 'A replay goes on with the recorded answer without what counts as nothing in its members.',
    kills: ['replay.interrupt-short-circuits.recorded-value'],
    parts: recalling('core.interrupt.answer', (recorded) => ({ ...recorded, value: withoutNothing(recorded.value) })),
  },
  'interrupt-keys-mixed-up': {
    breaks: 'A replay gives the first answer of a node to all its questions, whatever their keys.',
    kills: ['replay.interrupt-short-circuits.own-keys'],
    parts: (conformant) => {
      let first: unknown;
      return recalling('core.interrupt.answer', (recorded, { request }) => {
        const [key, mark] = [String(member(request, 'key')), member(recorded.value, 'mark')];
        if (mark === undefined) return recorded;
        if (key.endsWith('-1')) first = recorded.value;
        return /-[2-9]$/u.test(key) ? { ...recorded, value: first } : recorded;
      })(conformant);
    },
  },
  'replay-puts-out-something-else': {
    breaks: 'The nodes of a replay that do nothing put something out, and nothing says so.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    alsoBreaks: { 'sequence.state-equal.concurrent': 'without our workflows, one of these nodes is replayed at once' },
    parts: writingInReplays('node.completed', IDLE, { output: 'else' }),
  },
  'replay-shows-another-answer': {
    breaks: 'A replay goes on with the recorded answer, and its log shows another one.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingInReplays('interrupt.resolved', new Set(['ask']), { resumeValue: 'else' }),
  },
  'memory-id-minted-again': {
    breaks: 'A replay mints new ids for memories.',
    kills: ['replay.recorded-facts-verbatim'],
    parts: recallingEvents('core.memory.write', (event) => [withFact(event, { memoryId: newId('mem') })]),
  },
  'memory-id-minted-in-history': {
    breaks: 'A fork mints new ids for the memories of its history.',
    kills: ['replay.recorded-facts-verbatim.in-history'],
    parts: within('replay', () => ({
      inherited: (history) => history.map((event) => withFact(event, { memoryId: newId('mem') })),
    })),
  },
  'memory-left-out-of-history': {
    breaks: 'A fork leaves the memories out of its history.',
    kills: ['replay.recorded-facts-verbatim.in-history'],
    parts: within('replay', () => ({
      inherited: (history) => history.filter(({ type }) => type !== 'memory.written'),
    })),
  },
  'memory-id-minted-in-replays-of-replays': {
    breaks: 'The replay of a replay gives memories new identifiers.',
    kills: ['replay.recorded-facts-verbatim'],
    parts: recalling('core.memory.write', (recorded, { ofFork }) =>
      ofFork
        ? { ...recorded, events: recorded.events.map((event) => withFact(event, { memoryId: newId('mem') })) }
        : recorded,
    ),
  },
  'memory-time-taken-again': {
    breaks: 'A replay says that memories were written when it was made.',
    kills: ['replay.recorded-facts-verbatim'],
    parts: recallingEvents('core.memory.write', (event) => [withFact(event, { writtenAt: new Date().toISOString() })]),
  },
  'memory-time-taken-in-history': {
    breaks: 'A fork says that the memories of its history were written when it was made.',
    kills: ['replay.recorded-facts-verbatim.in-history'],
    parts: within('replay', () => ({
      inherited: (history) => history.map((event) => withFact(event, { writtenAt: new Date().toISOString() })),
    })),
  },
  'memory-written-twice': {
    breaks: 'A replay writes each recorded fact twice.',
    kills: ['replay.recorded-facts-verbatim'],
    parts: recallingEvents('core.memory.write', (event) =>
      event.type === 'memory.written' ? [event, event] : [event],
    ),
  },
  'replay-asks-outside-model': {
    breaks: 'A replay asks a model outside the host again.',
    kills: ['refusal.cached-response-wins'],
    parts: within('llmCache', (llmCache) => ({
      onReplay: (call) => (call.nodeId === 'provider-call' ? 'ask' : llmCache.onReplay(call)),
    })),
  },
  'replays-of-replays-ask-outside-model': {
    breaks: 'A replay of a replay asks a model outside the host again.',
    kills: ['replay.no-second-external-call.model'],
    parts: within('llmCache', (llmCache) => ({
      onReplay: (call) => (call.ofFork && call.nodeId === 'provider-call' ? 'ask' : llmCache.onReplay(call)),
    })),
  },
  'replay-asks-model-for-another-attempt': {
    breaks:
      'A replay takes the first attempt at a node from the record, and asks a model outside the host for the next one.',
    kills: ['replay.no-second-external-call.model'],
    seenIn: 'replay.same-failure',
    parts: within('llmCache', (llmCache) => ({
      onReplay: (call) => (call.nodeId === 'retried-call' && call.attempt > 1 ? 'ask' : llmCache.onReplay(call)),
    })),
  },
  'tool-answer-lost': {
    breaks: 'A replay calls no tool and has an empty answer in the place of the recorded one.',
    kills: ['replay.no-second-external-call.cached-response', 'once.verification-human.resume'],
    parts: recalling('core.tool.http', ({ events }) => ({
      value: { kind: 'answered', answer: null },
      events: events.map((event) => withPayload(event, { value: null, data: null })),
    })),
  },
  'tool-called-from-the-middle': {
    breaks: 'A replay that inherits history calls tools again.',
    kills: ['replay.no-second-external-call'],
    parts: callingToolsOf((run) => (run.fork?.fromSeq ?? 0) > 0),
  },
  'tool-called-on-replay': {
    breaks: 'A replay calls tools again.',
    kills: ['replay.no-second-external-call'],
    parts: recalling('core.tool.http', () => undefined),
  },
  'tool-called-when-compared': {
    breaks: 'Whoever reads how a run differs from another one has its tool called again.',
    kills: ['replay.no-second-external-call'],
    parts: () => ({
      middleware: (next) => {
        const requests = new Map<string, object>();
        const answer = async (request: Request): Promise<Response> => {
          const runId = /^\/v1\/runs\/([^/]+):diff$/.exec(new URL(request.url).pathname)?.[1] ?? '';
          await carriedOut(requests.get(runId), request, next);
          return next(request);
        };
        return noticing(answer, /^\/v1\/runs$/, ({ runId, asked }) => {
          if (stringMember(asked['inputs'], 'witnessUrl') !== undefined) requests.set(runId, asked);
        });
      },
    }),
  },
  'tool-called-from-the-second-replay-on': {
    breaks: 'Replays of a run call tools again, but for its first.',
    kills: ['replay.no-second-external-call'],
    parts: (conformant) => {
      const replayed = new Map<string, string>();
      return callingToolsOf(({ runId, fork }) => {
        const first = replayed.get(fork?.parentRunId ?? '') ?? runId;
        replayed.set(fork?.parentRunId ?? '', first);
        return first !== runId;
      })(conformant);
    },
  },
  'tool-called-again-for-null': {
    breaks: 'A replay calls a tool again whose recorded answer is null.',
    kills: ['replay.no-second-external-call'],
    parts: recallingTools(({ value }) => member(value, 'kind') === 'failed' || member(value, 'answer') !== null),
  },
  'tool-called-again-for-a-failure': {
    breaks: 'A replay calls a tool again that had failed.',
    kills: ['replay.no-second-external-call'],
    parts: recallingTools(({ value }) => member(value, 'kind') !== 'failed'),
  },
  'tool-called-again-for-a-lost-call': {
    breaks: 'A replay calls a tool again that had given no answer.',
    kills: ['replay.no-second-external-call'],
    parts: recallingTools(({ value }) => member(value, 'message') !== 'The tool gave no answer.'),
  },
  'tool-called-again-for-a-cancelled-run': {
    breaks: 'A replay of a run that was cancelled calls a tool again.',
    kills: ['replay.no-second-external-call'],
    parts: (conformant) => {
      const cancelled = new Set<string>();
      return {
        ...callingToolsOf(({ fork }) => cancelled.has(fork?.parentRunId ?? ''), 'first')(conformant),
        middleware: (next) => noticingCancellations(conformant.middleware(next), (runId) => void cancelled.add(runId)),
      };
    },
  },
  /** Records are looked up in the source run only. */
  'tool-called-on-second-replay': {
    breaks: 'The replay of a replay calls tools again.',
    kills: ['replay.no-second-external-call.replay-of-replay'],
    parts: (conformant) => {
      const replays = new Set<string>();
      return callingToolsOf(({ runId, fork }) => {
        replays.add(runId);
        return replays.has(fork?.parentRunId ?? '');
      })(conformant);
    },
  },
  'tool-called-on-third-replay': {
    breaks: 'The replay of a replay of a replay calls tools again.',
    kills: ['replay.no-second-external-call.replay-of-replay'],
    parts: (conformant) => {
      const generations = new Map<string, number>();
      return callingToolsOf(({ runId, fork }) => {
        const generation = (generations.get(fork?.parentRunId ?? '') ?? 0) + 1;
        generations.set(runId, generation);
        return generation > 2;
      })(conformant);
    },
  },
  'version-pin-newest': {
    breaks: 'A full replay pins the newest version anew.',
    kills: ['replay.version-pins-kept.full-replay'],
    parts: recalling('core.version', () => undefined),
  },
  'second-version-pin-newest': {
    breaks: 'A full replay keeps what its source pinned first, and pins the newest version of another change.',
    kills: ['replay.version-pins-kept.full-replay'],
    parts: recalling('core.version', (recorded, { request }) =>
      request['changeId'] === 'farewell' ? undefined : recorded,
    ),
  },
  'second-version-pin-not-inherited': {
    breaks: 'A fork inherits the first thing that its history pinned, and nothing else of that.',
    kills: ['replay.version-pins-kept'],
    parts: within('replay', () => ({
      inherited: (history) =>
        history.filter(
          ({ type }, at) => type !== 'version.pinned' || history.findIndex((each) => each.type === type) === at,
        ),
    })),
  },
  'version-pin-newest-behind-the-fork-point': {
    breaks: 'A replay from later on pins the newest version of what its source pinned behind that.',
    kills: ['replay.version-pins-kept.full-replay'],
    parts: recalling('core.version', (recorded, { fromSeq }) => (fromSeq > 1 ? undefined : recorded)),
  },
  'version-pin-newest-in-replays-of-replays': {
    breaks: 'A replay of a replay pins the newest version anew.',
    kills: ['replay.version-pins-kept.full-replay'],
    parts: recalling('core.version', (recorded, { ofFork }) => (ofFork ? undefined : recorded)),
  },
  'version-pin-not-inherited': {
    breaks: 'A fork does not inherit what its history pinned.',
    kills: ['replay.version-pins-kept'],
    parts: within('replay', () => ({
      inherited: (history) => history.filter(({ type }) => type !== 'version.pinned'),
    })),
  },
};

/** A value whose objects have no member that is false, 0, null or an empty text. */
function withoutNothing(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => Boolean(each));
  return Object.fromEntries(members.map(([name, each]) => [name, withoutNothing(each)]));
}

/** The event with other members, where it is the fact that a memory was written. */
function withFact<E extends EventDraft>(event: E, members: object): E {
  return event.type === 'memory.written' ? withPayload(event, members) : event;
}

/** The replays that fit call tools again: a record under a name of its own is one that no other run has. */
function callingToolsOf(fits: (replay: RunRecord) => boolean, nodeId = 'call-tool'): Parts {
  return ({ replay, actKey }) => {
    const calling = new Set<string>();
    return {
      replay: {
        ...replay,
        startsFrom: (state, run) => {
          if (run.fork?.mode === 'replay' && fits(run)) calling.add(run.runId);
          return replay.startsFrom(state, run);
        },
      },
      actKey: (request, actor) =>
        actor.nodeId === nodeId && calling.has(actor.runId)
          ? digest(serialise({ request, runId: actor.runId }))
          : actKey(request, actor),
    };
  };
}
