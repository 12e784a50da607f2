import { isObject, member, stringMember, type JsonObject } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import { isTerminal, type RunEvent } from '../../store/event.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { rewritingEvents, showingEvents } from '../shared/run-wire.ts';

/** Replays inherit another history. */
function inheriting(change: (history: readonly RunEvent[]) => readonly RunEvent[]): Parts {
  return within('replay', () => ({
    inherited: (history, { mode }) => (mode === 'replay' ? change(history) : history),
  }));
}

/** Replays of some sources inherit the starts of nodes with a mark. */
function markedWhere(isMeant: (source: readonly RunEvent[]) => boolean): Parts {
  return within('replay', () => ({
    inherited: (history, { mode, source }) =>
      mode === 'replay' && isMeant(source)
        ? history.map((event) => (event.type === 'node.started' ? withPayload(event, { again: true }) : event))
        : history,
  }));
}

/** Replays inherit each event of their history otherwise. */
function inheritingEach(change: (event: RunEvent) => RunEvent): Parts {
  return inheriting((history) => history.map(change));
}

function payloadOf({ payload }: JsonObject): JsonObject {
  return isObject(payload) ? payload : {};
}

const MODES: Partial<Record<Part, string>> = { replays: 'replay', branches: 'branch' };

/** Notes the runs that forks of others make, and where each begins. */
function notingForks(forks: Map<string, number>, next: Fetch, wanted?: Part): Fetch {
  return async (request) => {
    const response = await next(request);
    if (response.status !== 201 || !new URL(request.url).pathname.endsWith(':fork')) return response;
    const answer: unknown = await response.clone().json();
    if (wanted !== undefined && (MODES[wanted] ?? member(answer, 'mode')) !== member(answer, 'mode')) return response;
    forks.set(stringMember(answer, 'runId') ?? '', Number(member(answer, 'fromSeq')));
    return response;
  };
}

/** A part of forks, or those of them that are of one mode. */
type Part = 'history' | 'executed' | 'replays' | 'branches';

/** Shows the events of forks otherwise, or those of one part alone, in every way of reading. */
function marking(
  change: (event: JsonObject, isInherited: boolean) => JsonObject | readonly JsonObject[],
  part?: Part,
): Parts {
  return () => {
    const forks = new Map<string, number>();
    const isInherited = (event: JsonObject): boolean =>
      Number(event['sequence']) < (forks.get(stringMember(event, 'runId') ?? '') ?? 0);
    const isOfPart = part === 'history' || part === 'executed';
    const isMeant = (event: JsonObject): boolean => !isOfPart || (part === 'history') === isInherited(event);
    const showing = showingEvents(
      (runId) => forks.has(runId),
      (event) => (isMeant(event) ? [change(event, isInherited(event))].flat() : [event]),
    );
    return { middleware: (next) => showing(notingForks(forks, next, part)) };
  };
}

/** Events of one type are shown with other members of their payloads. */
function saying(type: string, members: JsonObject): (event: JsonObject) => JsonObject {
  return (event) => (event['type'] === type ? { ...event, payload: { ...payloadOf(event), ...members } } : event);
}

/** Events of one type are not shown. */
function hiding(type: string): (event: JsonObject) => readonly JsonObject[] {
  return (event) => (event['type'] === type ? [] : [event]);
}

/** JSON as a change of each value in it gives it; what is undefined is left out of objects. */
function changed(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((each) => changed(each, change)));
  if (!isObject(value)) return change(value);
  const members = Object.entries(value).map(([name, each]) => [name, changed(each, change)] as const);
  return Object.fromEntries(members.filter(([, each]) => each !== undefined));
}

/** JSON with a dot for every slash in the names of its members. */
function dotted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dotted);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replaceAll('/', '.'), dotted(each)]));
}

/** Replays inherit payloads with other values. */
function inheritingValues(change: (value: unknown) => unknown): Parts {
  return inheritingEach((event) => ({ ...event, payload: changed(event.payload, change) }));
}

/** Replays inherit payloads with other texts. */
function inheritingTexts(change: (text: string) => unknown): Parts {
  return inheritingValues((value) => (typeof value === 'string' ? change(value) : value));
}

/** Nodes of one workflow of ours and of a public one, which rows look at among all others alone. */
const ELSEWHERE: ReadonlySet<unknown> = new Set(['branch-b', 'wait']);

/** Lists show the end of runs that completed, and have one of these nodes, otherwise. */
function endingElsewhere(change: (end: JsonObject) => readonly JsonObject[]): Parts {
  return rewritingEvents(/\/events(\/poll)?$/, (events) => {
    const end = events.at(-1);
    const isWhole = events.some(({ type }) => type === 'run.started');
    const isMeant = isWhole && end?.['type'] === 'run.completed' && events.some(({ nodeId }) => ELSEWHERE.has(nodeId));
    return isMeant ? [...events.slice(0, -1), ...change(end)] : events;
  });
}

const DAY = /^\d{4}-\d\d-\d\d$/u;

/** History that a fork inherits. */
export const defects: Defects = {
  'prefix-output-changed': {
    breaks: 'A replay inherits the end of a node that wrote a memory with another output.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingEach((event) =>
      event.type === 'node.completed' && event.nodeId === 'remember'
        ? { ...event, payload: { nodeId: event.nodeId, output: 'other' } }
        : event,
    ),
  },
  'prefix-keys-of-tools-changed': {
    breaks: 'The calls of tools that a replay inherits have other keys.',
    kills: ['sequence.prefix-equal'],
    parts: marking((event) => {
      const key = stringMember(event['payload'], 'idempotency_key');
      return key === undefined ? event : { ...event, payload: { ...payloadOf(event), idempotency_key: `${key}0` } };
    }, 'history'),
  },
  'prefix-inputs-changed': {
    breaks: 'The start of a replay names one input less than its source was given.',
    kills: ['sequence.prefix-equal'],
    parts: marking((event) => {
      const { inputs } = payloadOf(event);
      if (event['type'] !== 'run.started' || !isObject(inputs)) return event;
      const kept = Object.fromEntries(Object.entries(inputs).slice(0, -1));
      return { ...event, payload: { ...payloadOf(event), inputs: kept } };
    }, 'history'),
  },
  'prefix-without-nulls': {
    breaks: 'Members that are null are left out of the history of a replay.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingValues((value) => value ?? undefined),
  },
  'prefix-without-written-zeros': {
    breaks: 'The history of a replay does not say what was written to a variable where that counts as nothing.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingEach((event) =>
      event.type === 'variable.changed' && !member(event.payload, 'value')
        ? { ...event, payload: { name: member(event.payload, 'name') } }
        : event,
    ),
  },
  'prefix-unescaped': {
    breaks: 'Texts in the history of a replay lose their backslashes.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => text.replaceAll('\\', '')),
  },
  'prefix-names-unescaped': {
    breaks: 'Names of members in the history of a replay have a dot where there was a slash.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingEach((event) => ({ ...event, payload: dotted(event.payload) })),
  },
  'prefix-normalised': {
    breaks: 'Texts in the history of a replay are written in their composed Unicode form.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => text.normalize('NFC')),
  },
  'prefix-trimmed': {
    breaks: 'Texts in the history of a replay lose the blanks at their ends.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => text.trim()),
  },
  'prefix-cut': {
    breaks: 'Texts in the history of a replay are cut after a thousand characters.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => text.slice(0, 1000)),
  },
  'prefix-dates-revived': {
    breaks: 'Texts in the history of a replay that look like days are written as moments.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingValues((value) =>
      typeof value === 'string' && DAY.test(value) ? `${value}T00:00:00.000Z` : value,
    ),
  },
  'prefix-numbers-read': {
    breaks: 'Texts in the history of a replay that look like numbers are written as numbers.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingValues((value) => (typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value)),
  },
  'prefix-markup-escaped': {
    breaks: 'Texts in the history of a replay are escaped for HTML.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => text.replaceAll('<', '&lt;')),
  },
  'prefix-line-ends-folded': {
    breaks: 'Lines in the history of a replay end with single line feeds.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => text.replaceAll(/\r\n?/gu, '\n')),
  },
  'prefix-marks-dropped': {
    breaks: 'Texts in the history of a replay lose their separators of lines and their byte order marks.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => text.replaceAll(/[\u2028\u2029\ufeff]/gu, '')),
  },
  'prefix-names-lost': {
    breaks: 'Members that are called as what every object has get lost in the history of a replay.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingEach((event) => {
      const payload: unknown = JSON.parse(JSON.stringify(event.payload), (name, value: unknown) =>
        name === 'constructor' || name === '__proto__' ? undefined : value,
      );
      return { ...event, payload };
    }),
  },
  'prefix-words-read': {
    breaks: 'Texts in the history of a replay that look like flags, or like nothing, are written as these.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingTexts((text) => (/^(?:true|false|null)$/u.test(text) ? (JSON.parse(text) as unknown) : text)),
  },
  'prefix-of-a-waiting-run-marked': {
    breaks: 'Replays of runs that wait say of every node of their history that it begins again.',
    kills: ['sequence.prefix-equal'],
    parts: markedWhere((source) => !source.some(({ type }) => isTerminal(type))),
  },
  'prefix-of-a-cancelled-run-marked': {
    breaks: 'Replays of runs that were cancelled say of every node of their history that it begins again.',
    kills: ['sequence.prefix-equal'],
    parts: markedWhere((source) => source.some(({ type }) => type === 'run.cancelled')),
  },
  'prefix-rounded': {
    breaks: 'Numbers in the history of a replay keep fifteen digits.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingValues((value) => (typeof value === 'number' ? Number(value.toPrecision(15)) : value)),
  },
  'prefix-lists-cut': {
    breaks: 'Lists in the history of a replay are cut after ten entries.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingValues((value) => (Array.isArray(value) ? value.slice(0, 10) : value)),
  },
  'prefix-values-changed': {
    breaks: 'A replay inherits other values of the variables that were written.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingEach((event) =>
      event.type === 'variable.changed' ? { ...event, payload: { ...Object(event.payload), value: 'else' } } : event,
    ),
  },
  'history-ends-twice': {
    breaks: 'A replay takes over the last event of its history twice, where that gave a variable its value.',
    kills: ['sequence.prefix-equal'],
    parts: inheriting((history) => {
      const last = history.at(-1);
      if (last?.type !== 'variable.changed') return history;
      return [...history, { ...last, eventId: `${last.eventId}-again`, sequence: last.sequence + 1 }];
    }),
  },
  'history-nodes-renamed': {
    breaks: 'The history of a fork shows the ends of nodes under other node ids.',
    kills: ['sequence.prefix-equal'],
    parts: marking(
      (event) => (event['type'] === 'node.completed' ? { ...event, nodeId: `${String(event['nodeId'])}-copy` } : event),
      'history',
    ),
  },
  'history-nodes-renamed-without-end': {
    breaks: 'The log of a fork has no end, and its history shows the ends of nodes under other node ids.',
    kills: ['sequence.single-terminal-event', 'sequence.prefix-equal'],
    waits: true,
    parts: marking((event, isInherited) => {
      if (isTerminal(event['type'] as RunEvent['type'])) return [];
      const isNamed = isInherited && event['type'] === 'node.completed';
      return isNamed ? { ...event, nodeId: `${String(event['nodeId'])}-copy` } : event;
    }),
  },
  'history-named-anew': {
    breaks: 'The history of a fork has ids of its own, and what follows it names the event before by another one.',
    kills: ['sequence.state-equal.concurrent'],
    parts: marking(({ causationId, ...event }) => {
      const cause = typeof causationId === 'string' ? { causationId: `${causationId}-own` } : {};
      return { ...event, ...cause, eventId: `${String(event['eventId'])}-own` };
    }, 'history'),
  },
  'fork-ends-in-its-own-words': {
    breaks: 'The log of a fork ends with an event of a type that there is not.',
    kills: ['sequence.single-terminal-event'],
    waits: true,
    parts: marking((event) => (event['type'] === 'run.completed' ? { ...event, type: 'run.complete' } : event)),
  },
  'logs-of-forks-are-empty': {
    breaks: 'The log of a fork is answered, and holds no event, though its snapshot says how it ended.',
    kills: ['fork.created'],
    waits: true,
    parts: marking(() => []),
  },
  'history-caused-by-its-start': {
    breaks: 'The history of a replay is caused by the start of the run, in lists: streams show no causes.',
    kills: ['sequence.prefix-equal'],
    parts: (conformant) => ({
      ...inheriting(([first, ...rest]) =>
        first === undefined ? [] : [first, ...rest.map((event) => ({ ...event, causationId: first.eventId }))],
      )(conformant),
      eventOnWire: ({ causationId, ...event }, reading) => (reading === 'sse' ? event : { ...event, causationId }),
    }),
  },
  'executed-without-nodes': {
    breaks: 'What a fork executes shows no node ids.',
    kills: ['sequence.state-equal.concurrent'],
    parts: marking(({ nodeId: _nodeId, ...event }) => event, 'executed'),
  },
  'executed-without-causes': {
    breaks: 'What a fork executes does not show what caused it.',
    kills: ['sequence.state-equal.concurrent'],
    parts: marking(({ causationId: _causationId, ...event }) => event, 'executed'),
  },
  'executed-nodes-have-the-ids-of-their-causes': {
    breaks: 'A node that a fork executes starts with the id of the event that caused it.',
    kills: ['schema.run-event'],
    seenIn: 'sequence.sweep',
    parts: marking(
      (event) =>
        event['type'] === 'node.started' ? { ...event, eventId: event['causationId'] ?? event['eventId'] } : event,
      'executed',
    ),
  },
  'fork-tags-its-start': {
    breaks: 'Forks begin with a tag that their source does not have.',
    kills: ['sequence.prefix-equal'],
    parts: marking(saying('run.started', { tags: ['fork'] })),
  },
  'fork-marks-what-begins': {
    breaks: 'Forks say of every node that begins that it does so again.',
    kills: ['sequence.prefix-equal'],
    parts: marking(saying('node.started', { again: true })),
  },
  'replays-name-variables-otherwise': {
    breaks: 'Replays, and nothing else, call every variable by another name, in their histories and behind these.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: marking((event) => {
      if (event['type'] !== 'variable.changed') return event;
      return { ...event, payload: { ...payloadOf(event), name: `${stringMember(event['payload'], 'name') ?? ''}x` } };
    }, 'replays'),
  },
  'replays-complete-otherwise': {
    breaks: 'Every node of a replay ends with something else than in its source.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: marking(saying('node.completed', { output: 'other' }), 'replays'),
  },
  'replays-rename-nodes': {
    breaks: 'Replays call every node by another id.',
    kills: ['sequence.prefix-equal'],
    parts: marking(
      (event) => (typeof event['nodeId'] === 'string' ? { ...event, nodeId: `${event['nodeId']}x` } : event),
      'replays',
    ),
  },
  'replays-write-nothing': {
    breaks: 'Replays do not show what nodes wrote into variables.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: marking(hiding('variable.changed'), 'replays'),
  },
  'replays-do-not-start': {
    breaks: 'Replays have no run.started.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: marking(hiding('run.started'), 'replays'),
  },
  'replays-start-no-tools': {
    breaks: 'Replays do not show that a tool was called, but what came of it.',
    kills: ['sequence.prefix-equal'],
    parts: marking(hiding('tool_invocation_started'), 'replays'),
  },
  'branch-shows-another-history': {
    breaks: 'A branch shows other values in its history than its source does, and keeps those of the source.',
    kills: ['fork.branch-inherits-prefix'],
    parts: marking(
      (event, isInherited) => (isInherited ? saying('variable.changed', { value: 'else' })(event) : event),
      'branches',
    ),
  },
  'poll-lacks-a-node-elsewhere': {
    breaks: 'The poll endpoint leaves out the end of a node that one workflow alone has.',
    kills: ['sequence.transports-agree'],
    seenIn: 'sequence.sweep',
    parts: rewritingEvents(/\/events\/poll$/, (events) =>
      events.filter(({ type, nodeId }) => type !== 'node.completed' || !ELSEWHERE.has(nodeId)),
    ),
  },
  'log-shows-an-event-behind-its-end': {
    breaks:
      'Logs of runs that completed show an event of a kind of their own behind their end, in every way of reading.',
    kills: ['sequence.single-terminal-event'],
    parts: () => ({
      middleware: showingEvents(
        () => true,
        (event) =>
          event['type'] === 'run.completed'
            ? [
                event,
                {
                  ...event,
                  eventId: `${String(event['eventId'])}-note`,
                  type: 'vendor.noted',
                  sequence: Number(event['sequence']) + 1,
                },
              ]
            : [event],
      ),
    }),
  },
  'branch-history-trimmed': {
    breaks: 'Texts in the history of a branch are shown without the blanks at their ends.',
    kills: ['fork.branch-inherits-prefix'],
    parts: marking(
      (event, isInherited) =>
        isInherited
          ? { ...event, payload: changed(event['payload'], (each) => (typeof each === 'string' ? each.trim() : each)) }
          : event,
      'branches',
    ),
  },
  'fork-causes-dangle': {
    breaks: 'What a fork writes to variables is caused by an event that there is not.',
    kills: ['sequence.prefix-equal'],
    parts: marking((event) =>
      event['type'] === 'variable.changed' ? { ...event, causationId: 'evt_of_nobody' } : event,
    ),
  },
  'prefix-event-dropped': {
    breaks: 'A replay inherits its history without the first event of a node.',
    kills: ['sequence.prefix-equal'],
    parts: inheriting((history) =>
      history.filter(
        ({ type }, index) => type !== 'node.completed' || history.findIndex((each) => each.type === type) !== index,
      ),
    ),
  },
  'prefix-event-duplicated': {
    breaks: 'A replay inherits its first event twice.',
    kills: ['sequence.prefix-equal'],
    parts: inheriting((history) =>
      history.flatMap((event, index) =>
        index === 0
          ? [event, { ...event, eventId: `${event.eventId}-again`, sequence: event.sequence + 1 }]
          : [{ ...event, sequence: event.sequence + 1 }],
      ),
    ),
  },
  'prefix-events-swapped': {
    breaks: 'A replay inherits its second and its third event in the place of each other.',
    kills: ['sequence.prefix-equal'],
    parts: inheriting((history) => {
      const [first, second, third, ...others] = history;
      if (first === undefined || second === undefined || third === undefined) return history;
      const { sequence } = second;
      return [first, { ...third, sequence }, { ...second, sequence: third.sequence }, ...others];
    }),
  },
  'history-hides-values': {
    breaks: 'The history of a fork does not show what nodes wrote into variables.',
    kills: ['sequence.prefix-equal'],
    parts: marking(hiding('variable.changed'), 'history'),
  },
  'history-shows-other-values': {
    breaks: 'The history of a fork shows other values of variables than its source does.',
    kills: ['sequence.prefix-equal'],
    parts: marking(saying('variable.changed', { value: 'else' }), 'history'),
  },
  'prefix-renumbered': {
    breaks: 'A replay counts its history from the next number on.',
    kills: ['sequence.prefix-equal'],
    parts: inheritingEach((event) => ({ ...event, sequence: event.sequence + 1 })),
  },
  'prefix-too-short': {
    breaks: 'A replay inherits one event less than it should, and makes it anew.',
    kills: ['sequence.prefix-equal.changed-code'],
    parts: inheriting((history) => history.slice(0, -1)),
  },
  'variable-lost-at-fork-point': {
    breaks: 'A replay inherits its history without the variable that a node of it wrote.',
    kills: ['sequence.prefix-equal'],
    parts: inheriting((history) =>
      history.filter(({ type, nodeId }) => type !== 'variable.changed' || nodeId !== 'remember'),
    ),
  },
  'channel-lost-at-fork-point': {
    breaks: 'A replay inherits its history without what was written to channels.',
    kills: ['sequence.prefix-equal'],
    alsoBreaks: { 'sequence.side-effects-cached': 'the tool had written the channel' },
    parts: inheriting((history) => history.filter(({ type }) => type !== 'channel.written')),
  },
  'concurrent-forks-share-events': {
    breaks: 'Forks of one run that execute at once write an event for one of them only.',
    kills: ['sequence.state-equal.concurrent'],
    parts: () => {
      const writing = new Map<string, Set<string>>();
      return {
        written: (draft, { run }) => {
          const others = writing.get(run.fork?.parentRunId ?? '') ?? new Set();
          if (isTerminal(draft.type)) others.delete(run.runId);
          if (run.fork?.mode !== 'replay' || draft.nodeId !== 'random-again') return [draft];
          if (draft.type === 'node.started') writing.set(run.fork.parentRunId, others.add(run.runId));
          const [first] = others;
          return draft.type === 'variable.changed' && first !== run.runId ? [] : [draft];
        },
      };
    },
  },
  'branches-end-twice': {
    breaks: 'Lists give the end of runs of two workflows twice.',
    kills: ['sequence.single-terminal-event.every-log'],
    parts: endingElsewhere((end) => [
      end,
      { ...end, eventId: 'evt_second_end', sequence: Number(end['sequence']) + 1 },
    ]),
  },
  'branches-count-the-end-twice': {
    breaks: 'Lists give the end of runs of two workflows the number of the event before it.',
    kills: ['sequence.monotonic.every-log'],
    parts: endingElsewhere((end) => [{ ...end, sequence: Number(end['sequence']) - 1 }]),
  },
  'fork-repeats-the-last-number': {
    breaks: 'A replay counts on from the last number of its history without adding one.',
    kills: ['sequence.monotonic'],
    parts: () => {
      const ownFrom = new Map<string, number>();
      return {
        written: (draft, { run }) => {
          if (run.fork?.mode === 'replay' && run.fork.position > 0) ownFrom.set(run.runId, run.fork.fromSeq);
          return [draft];
        },
        eventOnWire: (event) =>
          event.sequence >= (ownFrom.get(event.runId) ?? Infinity) ? { ...event, sequence: event.sequence - 1 } : event,
      };
    },
  },
};
