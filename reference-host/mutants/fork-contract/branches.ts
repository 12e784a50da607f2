import { isObject, type JsonObject, member, parseJson, stringMember } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Forking } from '../../policies/replay.ts';
import type { EventDraft, RunEvent } from '../../store/event.ts';
import type { Observation } from '../../store/observations.ts';
import { type Defect, type Defects, type Parts, within } from '../mutant.ts';
import { advertisingWith } from '../shared/discovery-parts.ts';
import {
  type ForkCall,
  forkAnswered,
  forking,
  forkingInstead,
  leftOut,
  logOf,
  refusingForks,
  snapshotOnceForked,
  without,
  namingSources,
} from '../shared/fork-parts.ts';
import { recalling, withPayload } from '../shared/replay-parts.ts';
import { createMeeting } from '../shared/meeting.ts';
import { noticing } from '../shared/run-memory.ts';

/** Branches leave with their sources what a node put out: replays of these put that out, and report it. */
function leavingAnswers(nodeId: string, breaks: string): Defect {
  return {
    breaks,
    kills: ['fork.branch-is-independent'],
    seenIn: 'fork.branch-acts.tool',
    parts: ({ written }) => {
      const left = new Map<string, unknown>();
      return {
        written: (draft, writing) => {
          const { mode, parentRunId } = writing.run.fork ?? {};
          const isMeant = draft.nodeId === nodeId && /^(?:node\.completed|variable\.changed)$/u.test(draft.type);
          const place = `${parentRunId} ${draft.type}`;
          if (isMeant && mode === 'branch') left.set(place, draft.payload);
          const payload = isMeant && mode === 'replay' ? (left.get(place) ?? draft.payload) : draft.payload;
          return written({ ...draft, payload }, writing);
        },
      };
    },
  };
}

/** Whether a node that copies a variable writes what it copied. */
function isCopy({ type, nodeId }: EventDraft): boolean {
  return type === 'variable.changed' && nodeId === 'copied';
}

/** A replay's history, and the event at its fork point where that is the write of a constant. */
function withWrite(history: readonly RunEvent[], { mode, source }: Forking): readonly RunEvent[] {
  const at = mode === 'replay' ? source[history.length] : undefined;
  return at?.type === 'variable.changed' && at.nodeId === 'constant' ? [...history, at] : history;
}

/** Whether a branch from an event is wanted, without other run options. */
function isPlainBranch({ body }: ForkCall, ...beside: readonly string[]): boolean {
  const isEmpty = Object.keys(Object(body['runOptionsOverlay'])).every((name) => beside.includes(name));
  return body['mode'] === 'branch' && isEmpty && typeof body['fromSeq'] === 'number';
}

/** Makes a replay, and calls it a branch. */
async function replayedInstead({ body, send }: ForkCall): Promise<Response> {
  const { runOptionsOverlay: _overlay, ...others } = body;
  const response = await send({ body: { ...others, mode: 'replay' } });
  const answer: unknown = await response.json();
  return Response.json(response.status === 201 ? { ...Object(answer), mode: 'branch' } : answer, {
    status: response.status,
  });
}

/** Waits until the fork has ended that an answer is about. */
async function ended({ headers, next }: ForkCall, answer: unknown): Promise<void> {
  const url = new URL(String(member(answer, 'eventsUrl')), 'http://host.invalid');
  const authorization = headers.get('authorization') ?? '';
  await (await next(new Request(url, { headers: { authorization, accept: 'text/event-stream' } }))).text();
}

/** Forks from later events keep the histories of their sources, and lose the variables, for their nodes and in their snapshots. */
function losingVariables(breaks: string, isMeant: (mode: string) => boolean): Omit<Defect, 'kills'> {
  return {
    breaks,
    parts: ({ replay, snapshotOnWire }) => {
      const lost = new Map<string, ReadonlyMap<string, string>>();
      const kept = (runId: string, held: Iterable<[string, unknown]>): [string, unknown][] =>
        [...held].filter(([name, value]) => lost.get(runId)?.get(name) !== JSON.stringify(value));
      return {
        replay: {
          ...replay,
          startsFrom: (state, run) => {
            const { runId, fork } = run;
            const start = replay.startsFrom(state, run);
            if (fork === undefined || !isMeant(fork.mode)) return start;
            const held = [...start.variables].map(([name, value]) => [name, JSON.stringify(value)] as const);
            if (!lost.has(runId)) lost.set(runId, new Map(start.nodes.size > 0 ? held : []));
            return { ...start, variables: new Map(kept(runId, start.variables)) };
          },
        },
        snapshotOnWire: (snapshot) => {
          const { runId, variables } = snapshot;
          const left = kept(String(runId), Object.entries(Object(variables)));
          return snapshotOnWire(isObject(variables) ? { ...snapshot, variables: Object.fromEntries(left) } : snapshot);
        },
      };
    },
  };
}

/** Branches pass over a member of the overlay where it is the only one. */
function withoutMember(name: string): Defect {
  return {
    breaks: `A branch whose overlay holds ${name} alone runs without it.`,
    kills: [`fork.branch-applies-overlay.${name}`],
    parts: forkingInstead((body) => {
      const overlay = body['runOptionsOverlay'];
      const isAlone = body['mode'] === 'branch' && isObject(overlay) && Object.keys(overlay).join() === name;
      return isAlone ? { ...body, runOptionsOverlay: {} } : undefined;
    }),
  };
}

const RUN = /^\/v1\/runs\/([^/:]+)(\/.+)$/u;

interface PassedOn {
  /** What is passed on: the end of its path. */
  readonly ending: RegExp;
  /** From a branch to its source, or from a source to its branches. */
  readonly to: 'source' | 'branches';
  /** What is done to the other run instead of the same. */
  readonly how?: (other: string) => void;
}

/** A host that does to the source of a branch, or to the branches of a source, what it has done to that run. */
function passingOn({ ending, to, how }: PassedOn): (next: Fetch) => Fetch {
  return (next) => {
    const made: (readonly [source: string, branch: string])[] = [];
    const noting = noticing(next, /:fork$/u, ({ runId, asked, answer }) => {
      if (asked['mode'] === 'branch') made.push([String(answer['sourceRunId']), runId]);
    });
    const related = (run: string): readonly string[] =>
      made.flatMap(([source, branch]) =>
        to === 'source' ? (branch === run ? [source] : []) : source === run ? [branch] : [],
      );
    return async (request) => {
      const url = new URL(request.url);
      const [, runId = '', rest = ''] = RUN.exec(url.pathname) ?? [];
      const others = request.method === 'POST' && ending.test(rest) ? related(runId) : [];
      if (others.length === 0) return noting(request);
      const { method, headers } = request;
      const body = await request.text();
      const send = () => next(new Request(url, { method, headers: without(headers, 'content-length'), body }));
      const response = await send();
      for (const other of response.ok ? others : []) {
        url.pathname = `/v1/runs/${other}${rest}`;
        if (how === undefined) await send();
        else how(other);
      }
      return response;
    };
  };
}

const [ANSWERS, CANCELS] = [/^\/interrupts\/[^/]+$/u, /^\/cancel$/u];

/** Branches take of a member of their overlays what does not count as nothing. */
function withoutNothing(name: string): Parts {
  return forkingInstead((body) => {
    const values = member(body['runOptionsOverlay'], name);
    if (!isObject(values)) return undefined;
    const some = Object.fromEntries(Object.entries(values).filter(([, value]) => Boolean(value)));
    return { ...body, runOptionsOverlay: { ...Object(body['runOptionsOverlay']), [name]: some } };
  });
}

/** Branches take the inputs of their overlays as a change of each value in them gives these. */
function withInputs(change: (value: unknown) => unknown): Parts {
  return forkingInstead((body) => {
    const { inputs, ...others } = Object(body['runOptionsOverlay']) as JsonObject;
    if (body['mode'] !== 'branch' || inputs === undefined) return undefined;
    const changed: unknown = JSON.parse(JSON.stringify(inputs), (_, value: unknown) => change(value));
    return { ...body, runOptionsOverlay: { ...others, inputs: changed } };
  });
}

/** What a branch starts from and what it changes. */
export const defects: Defects = {
  'branch-named-as-source': {
    breaks: 'The answer to a branch gives the id of its source as that of the new run.',
    kills: ['fork.created.own-id'],
    parts: forkAnswered((answer, { body, sourceRunId }) =>
      body['mode'] === 'branch' ? { ...answer, runId: sourceRunId } : answer,
    ),
  },
  'branch-answers-other-from-seq': {
    breaks: 'The answer to a branch says that it starts one event earlier.',
    kills: ['fork.created.branch'],
    parts: forkAnswered((answer, { body }) =>
      body['mode'] === 'branch' ? { ...answer, fromSeq: Number(answer['fromSeq']) - 1 } : answer,
    ),
  },
  'branch-not-implemented': {
    breaks: 'Branches are advertised and answered with 501.',
    kills: ['fork.created.branch'],
    parts: refusingForks(({ body }) => body['mode'] === 'branch', 501, 'not_implemented', 'Not yet.'),
  },
  'branch-from-the-start-refused': {
    breaks: 'A branch from the first event is refused, whoever requests it of whatever run.',
    kills: ['fork.created.branch'],
    parts: refusingForks(
      ({ body }) => body['mode'] === 'branch' && body['fromSeq'] === 0,
      400,
      'validation_error',
      'Nothing is left of such a run.',
    ),
  },
  'one-branch-of-a-run': {
    breaks: 'A run is branched once; further branches of it are answered with 409.',
    kills: ['fork.created.branch'],
    parts: (conformant) => {
      const branched = new Set<string>();
      return refusingForks(
        ({ body, sourceRunId }) => {
          if (body['mode'] !== 'branch' || typeof body['fromSeq'] !== 'number') return false;
          const isAnother = branched.has(sourceRunId);
          branched.add(sourceRunId);
          return isAnother;
        },
        409,
        'conflict',
        'Another fork of this run is in flight.',
      )(conformant);
    },
  },
  'branch-defaults-to-zero': {
    breaks: 'A branch without fromSeq starts at 0.',
    kills: ['fork.branch-needs-from-seq'],
    parts: forkingInstead((body) => (body['mode'] === 'branch' ? { fromSeq: 0, ...body } : undefined)),
  },
  'branch-counted-in-source': {
    breaks: 'A branch is counted in the metadata of its source.',
    kills: ['fork.source-untouched.branch'],
    parts: snapshotOnceForked(
      ({ body }, status) => status === 201 && body['mode'] === 'branch',
      (snapshot) => ({ ...snapshot, metadata: { forks: 1 } }),
    ),
  },
  'branch-ignores-overlay': {
    breaks: 'A branch runs with the run options of its source.',
    kills: ['fork.branch-applies-overlay.inputs'],
    parts: forkingInstead((body) => (body['mode'] === 'branch' ? leftOut(body, 'runOptionsOverlay') : undefined)),
  },
  'branch-copies-what-the-source-held': {
    breaks: 'A node of a branch that copies a variable copies what the source had copied.',
    kills: ['fork.branch-applies-overlay.inputs'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const held = writing.run.fork?.mode === 'branch' && isCopy(draft) ? writing.source().find(isCopy) : undefined;
        return written(held === undefined ? draft : { ...draft, payload: held.payload }, writing);
      },
    }),
  },
  'overlay-at-the-start-alone': {
    breaks: 'A branch from a later event than the first runs with the run options of its source.',
    kills: ['fork.branch-applies-overlay'],
    parts: forkingInstead((body) =>
      body['mode'] === 'branch' && Number(body['fromSeq']) > 1 ? leftOut(body, 'runOptionsOverlay') : undefined,
    ),
  },
  'branch-starts-empty': {
    breaks: 'A branch keeps the events below its fork point, but its nodes see none of the variables from before.',
    kills: ['fork.branch-applies-overlay.projected-state'],
    parts: within('replay', (replay) => ({
      startsFrom: (state, run) =>
        run.fork?.mode === 'branch' ? { ...state, variables: new Map() } : replay.startsFrom(state, run),
    })),
  },
  'forks-lose-variables': {
    ...losingVariables('A fork from a later event begins without the variables of its history.', () => true),
    kills: ['fork.branch-applies-overlay.projected-state'],
    alsoBreaks: {
      'run.snapshot-agrees': 'of the public workflows, a snapshot against the history in its own log is what shows it',
    },
  },
  'replays-lose-variables': {
    ...losingVariables(
      'A replay from a later event begins without the variables of its history.',
      (mode) => mode === 'replay',
    ),
    kills: ['sequence.state-equal'],
    alsoBreaks: {
      'run.snapshot-agrees': 'of the public workflows, a snapshot against the history in its own log is what shows it',
    },
  },
  'branch-starts-from-the-end': {
    breaks: 'A branch begins with what a variable became in its source behind the fork point.',
    kills: ['fork.branch-applies-overlay.projected-state'],
    parts: within('replay', (replay) => ({
      startsFrom: (state, run) =>
        run.fork?.mode === 'branch' && state.variables.get('counter') === 1
          ? { ...state, variables: new Map([...state.variables, ['counter', 2]]) }
          : replay.startsFrom(state, run),
    })),
  },
  'branch-starts-without-inputs': {
    breaks: 'The nodes of a branch see neither the variables from before its fork point nor what its source was given.',
    kills: ['fork.branch-applies-overlay.projected-state'],
    parts: within('replay', (replay) => ({
      startsFrom: (state, run) =>
        run.fork?.mode === 'branch'
          ? { ...state, variables: new Map(), options: { ...state.options, inputs: run.fork.overlay['inputs'] ?? {} } }
          : replay.startsFrom(state, run),
    })),
  },
  'overlay-in-the-place-of-all-options': {
    breaks: 'An overlay takes the place of all options of the source: a branch with other tags has no inputs any more.',
    kills: ['fork.branch-applies-overlay.projected-state'],
    parts: within('replay', (replay) => ({
      startsFrom: (state, run) => {
        const given = run.fork?.overlay ?? {};
        if (run.fork?.mode !== 'branch' || Object.keys(given).length === 0) return replay.startsFrom(state, run);
        return { ...state, options: { ...state.options, inputs: given['inputs'] ?? {} } };
      },
    })),
  },
  'branch-snapshot-without-history': {
    breaks: "A branch's snapshot shows none of the variables that its log holds.",
    kills: ['run.snapshot-agrees'],
    seenIn: 'replay.no-second-external-call.model',
    parts: () => ({
      snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'branch' ? { ...snapshot, variables: {} } : snapshot),
    }),
  },
  'branch-snapshot-without-channels': {
    breaks: "A branch's snapshot has no channels, although its log writes some and its source shows them.",
    kills: ['run.snapshot-agrees'],
    seenIn: 'replay.no-second-external-call.of-a-branch',
    parts: () => ({
      snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'branch' ? { ...snapshot, channels: null } : snapshot),
    }),
  },
  'branch-snapshot-with-a-ghost': {
    breaks: 'The snapshot of a branch has a variable that nothing has set.',
    kills: ['run.snapshot-agrees'],
    seenIn: 'fork.branch-acts.tool',
    parts: () => ({
      snapshotOnWire: (snapshot) =>
        snapshot['forkMode'] === 'branch'
          ? { ...snapshot, variables: { ...Object(snapshot['variables']), ghost: 1 } }
          : snapshot,
    }),
  },
  'cancelled-branch-shown-as-failed': {
    breaks: 'The snapshot of a branch that was cancelled says that it failed.',
    kills: ['run.snapshot-agrees'],
    seenIn: 'fork.branch-is-independent.waiting',
    parts: () => ({
      snapshotOnWire: (snapshot) =>
        snapshot['forkMode'] === 'branch' && snapshot['status'] === 'cancelled'
          ? { ...snapshot, status: 'failed' }
          : snapshot,
    }),
  },
  'branch-executes-everything': {
    breaks: 'A branch executes everything again, with the overlay.',
    kills: ['fork.branch-inherits-prefix'],
    waits: true,
    parts: forking(async (call) => {
      const { body, send } = call;
      const { fromSeq } = body;
      const log = await logOf(call);
      const [first, last] = [log[0], log.at(-1)].map((event) => Number(member(event, 'sequence')));
      const isInLog = Number.isInteger(fromSeq) && Number(fromSeq) >= 0 && Number(fromSeq) <= Number(last);
      if (body['mode'] !== 'branch' || !isInLog) return send();
      const response = await send({ body: { ...body, fromSeq: first } });
      const answer: unknown = await response.json();
      return Response.json({ ...Object(answer), fromSeq }, { status: response.status });
    }),
  },
  'overlay-of-the-last-branch': {
    breaks:
      'What a branch is configured with is kept with its source until the branch starts: of two at once both have the last.',
    kills: ['fork.branch-applies-overlay.configurable'],
    parts: () => {
      const last = new Map<string, unknown>();
      const meet = createMeeting();
      return forking(async ({ body, sourceRunId, send }) => {
        const overlay = body['runOptionsOverlay'];
        if (body['mode'] !== 'branch' || member(overlay, 'configurable') === undefined) return send();
        last.set(sourceRunId, member(overlay, 'configurable'));
        await meet(sourceRunId);
        const runOptionsOverlay = { ...Object(overlay), configurable: last.get(sourceRunId) };
        return send({ body: { ...body, runOptionsOverlay } });
      })();
    },
  },
  'overlay-kept-with-the-workflow': {
    breaks:
      'What a branch is configured with is kept with its workflow: runs that are started later are configured so, too.',
    kills: ['fork.branch-is-independent'],
    seenIn: 'fork.overlay-configurable',
    parts: () => ({
      middleware: (next) => {
        const [workflows, kept] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()];
        const noting = noticing(next, /\/runs(?:\/[^/]+:fork)?$/u, ({ runId, asked, answer }) => {
          const { sourceRunId } = answer;
          const configurable = member(asked['runOptionsOverlay'], 'configurable');
          if (sourceRunId === undefined) workflows.set(runId, asked['workflowId']);
          else if (configurable !== undefined) kept.set(workflows.get(sourceRunId), configurable);
        });
        return async (request) => {
          if (request.method !== 'POST' || !request.url.endsWith('/v1/runs')) return noting(request);
          const reading = parseJson(await request.clone().text());
          const asked = reading.ok ? reading.value : undefined;
          const configurable = kept.get(member(asked, 'workflowId'));
          if (configurable === undefined) return noting(request);
          const body = JSON.stringify({ ...Object(asked), configurable });
          const headers = without(request.headers, 'content-length');
          return noting(new Request(request.url, { method: 'POST', headers, body }));
        };
      },
    }),
  },
  'overlay-without-inputs': withoutMember('inputs'),
  'overlay-without-configurable': withoutMember('configurable'),
  'overlay-without-what-counts-as-nothing': {
    breaks: 'A branch takes no value from its overlay that counts as nothing.',
    kills: ['fork.branch-applies-overlay.configurable.nothing'],
    parts: withoutNothing('configurable'),
  },
  'overlay-without-inputs-that-count-as-nothing': {
    breaks: 'A branch takes no input from its overlay that counts as nothing.',
    kills: ['fork.branch-applies-overlay.inputs'],
    parts: withoutNothing('inputs'),
  },
  'overlay-as-a-merge-patch': {
    breaks: 'A null in the inputs of an overlay is read as no value, as JSON Merge Patch has it.',
    kills: ['fork.branch-applies-overlay.inputs'],
    parts: withInputs((value) => value ?? undefined),
  },
  'overlay-without-tags': withoutMember('tags'),
  'overlay-without-metadata': withoutMember('metadata'),
  'later-branch-without-metadata': {
    breaks: 'A branch from a later event than the first runs without the metadata of its overlay.',
    kills: ['fork.branch-applies-overlay.metadata'],
    parts: forkingInstead((body) => {
      const { metadata, ...overlay } = Object(body['runOptionsOverlay']) as JsonObject;
      const isMeant = body['mode'] === 'branch' && Number(body['fromSeq']) > 0 && metadata !== undefined;
      return isMeant ? { ...body, runOptionsOverlay: overlay } : undefined;
    }),
  },
  'branch-without-metadata': {
    breaks: 'A branch whose overlay has metadata shows empty ones.',
    kills: ['fork.branch-applies-overlay.metadata'],
    parts: (conformant) => {
      const branches = new Set<unknown>();
      return {
        ...forkAnswered((answer, { body }) => {
          if (body['mode'] === 'branch' && member(body['runOptionsOverlay'], 'metadata') !== undefined)
            branches.add(answer['runId']);
          return answer;
        })(conformant),
        snapshotOnWire: (shown) => (branches.has(shown['runId']) ? { ...shown, metadata: {} } : shown),
      };
    },
  },
  'branch-inert': {
    breaks:
      'A branch without tags or metadata is carried out as a replay: it calls and asks nobody, and takes no inputs.',
    kills: ['fork.branch-acts.tool'],
    alsoBreaks: { 'schema.run-snapshot.wire': 'its snapshot says that it is a replay' },
    parts: forking(async (call) => (isPlainBranch(call, 'inputs') ? replayedInstead(call) : call.send())),
  },
  'branch-goes-on-with-the-child-of-its-source': {
    breaks: 'A branch names the child that its source dispatched, and not the one that it dispatches itself.',
    kills: ['fork.branch-is-independent'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { run, source } = writing;
        const known = source().find(({ payload }) => stringMember(payload, 'childRunId') !== undefined);
        const childRunId = stringMember(known?.payload, 'childRunId');
        const isNamed = stringMember(draft.payload, 'childRunId') !== undefined && childRunId !== undefined;
        return written(run.fork?.mode === 'branch' && isNamed ? withPayload(draft, { childRunId }) : draft, writing);
      },
    }),
  },
  'branch-names-its-source-as-the-parent': {
    breaks: 'The transitions of a branch name its source as the run that hands off.',
    kills: ['fork.branch-is-independent'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { fork } = writing.run;
        const isOfBranch = fork?.mode === 'branch' && stringMember(draft.payload, 'parentRunId') !== undefined;
        return written(isOfBranch ? withPayload(draft, { parentRunId: fork.parentRunId }) : draft, writing);
      },
    }),
  },
  'branch-asks-nobody': {
    breaks: 'A branch without other run options, of a run that asked somebody, is carried out as a replay.',
    kills: ['fork.branch-acts.approval'],
    alsoBreaks: { 'schema.run-snapshot.wire': 'its snapshot says that it is a replay' },
    parts: forking(async (call) => {
      if (!isPlainBranch(call)) return call.send();
      const hasAsked = (await logOf(call)).some((event) => member(event, 'type') === 'interrupt.requested');
      return hasAsked ? replayedInstead(call) : call.send();
    }),
  },
  'fork-inherits-from-seq': {
    breaks: 'A replay takes over the event at its fork point, where it is the write of a constant.',
    kills: ['fork.from-seq-anew'],
    parts: within('replay', (replay) => {
      // One at a time: whoever changes the code has the workflow alone.
      let isTakenOver = false;
      return {
        inherited: (history, fork) => {
          const taken = withWrite(history, fork);
          isTakenOver = taken.length > history.length;
          return replay.inherited(taken, fork);
        },
        diverged: (report) => (isTakenOver && report.nodeId === 'constant' ? [] : replay.diverged(report)),
      };
    }),
  },
  'fork-inherits-from-seq-and-reports': {
    breaks: 'A replay takes over the write of a constant at its fork point, and reports what differs later.',
    kills: ['fork.from-seq-anew'],
    parts: within('replay', (replay) => ({
      inherited: (history, fork) => replay.inherited(withWrite(history, fork), fork),
    })),
  },
  'branch-history-shortened': {
    breaks: 'A branch inherits fewer events than lie below its fork point, and executes the rest again.',
    kills: ['fork.branch-inherits-prefix'],
    waits: true,
    parts: within('replay', (replay) => ({
      inherited: (history, fork) => (fork.mode === 'branch' ? history.slice(0, 1) : replay.inherited(history, fork)),
    })),
  },
  'branch-history-emptied': {
    breaks: 'The events that a branch inherits have lost their values.',
    kills: ['fork.branch-inherits-prefix'],
    parts: within('replay', (replay) => ({
      inherited: (history, fork) => (fork.mode === 'branch' ? history.map(emptied) : replay.inherited(history, fork)),
    })),
  },
  'branch-history-with-other-memories': {
    breaks: 'The memories in the history of a branch have other ids than in its source.',
    kills: ['fork.branch-inherits-prefix'],
    parts: within('replay', (replay) => ({
      inherited: (history, fork) =>
        fork.mode === 'branch'
          ? history.map((event) =>
              event.type === 'memory.written' ? withPayload(event, { memoryId: 'mem-of-a-branch' }) : event,
            )
          : replay.inherited(history, fork),
    })),
  },
  'failed-run-not-branched': {
    breaks: 'A branch of a run that failed is refused with 409.',
    kills: ['fork.created.branch'],
    parts: forking(async (call) => {
      const isPlain = isPlainBranch(call);
      const hasFailed = isPlain && (await logOf(call)).some((event) => member(event, 'type') === 'run.failed');
      return hasFailed ? respond(refusal(409, 'run_failed', 'Failed runs cannot be branched.')) : call.send();
    }),
  },
  'branch-carries-out-its-history': {
    breaks: 'A branch shows the history of its source, and executes it once more beside that.',
    kills: ['fork.branch-inherits-prefix.called'],
    parts: forking(async (call) => {
      const { body, send } = call;
      const log = body['mode'] === 'branch' ? await logOf(call) : [];
      const called = log.find(
        (event) => member(event, 'type') === 'node.completed' && member(event, 'nodeId') === 'call-tool',
      );
      if (called !== undefined && Number(member(called, 'sequence')) < Number(body['fromSeq'])) {
        const beside: unknown = await (await send({ body: { ...body, fromSeq: 0 } })).json();
        await ended(call, beside);
      }
      return send();
    }),
  },
  'branch-leaves-its-tool-answer-with-its-source': leavingAnswers(
    'call-tool',
    'What a tool answers to a branch is kept in the record of its source, whose later replays are served that.',
  ),
  'branch-leaves-its-model-answer-with-its-source': leavingAnswers(
    'provider-call',
    'What a model answers to a branch is kept in the record of its source, whose later replays are served that.',
  ),
  'branches-of-one-run-share-a-record': {
    breaks:
      'What tools answer to branches is kept by what they were asked: the replays of two branches are served one answer.',
    kills: ['replay.no-second-external-call.of-a-branch'],
    parts: (conformant) => {
      const first = new Map<string, Observation>();
      return recalling('core.tool', (recorded, { ofFork, nodeId, request }) => {
        if (!ofFork || nodeId !== 'call-tool') return recorded;
        const key = JSON.stringify(request);
        const served = first.get(key) ?? recorded;
        first.set(key, served);
        return served;
      })(conformant);
    },
  },
  'branches-from-one-event-share-a-call': {
    breaks:
      'A second branch of a run from one event goes on with what a tool answered to the first: it is a replay of that.',
    kills: ['fork.branch-is-independent'],
    seenIn: 'replay.no-second-external-call.of-a-branch',
    alsoBreaks: { 'schema.run-snapshot.wire': 'its snapshot says that it is a replay' },
    parts: () => {
      const made = new Map<string, Promise<unknown>>();
      return forking(async (call) => {
        const { body, sourceRunId, headers, next, send } = call;
        const log = isPlainBranch(call) ? await logOf(call) : [];
        if (!log.some((event) => member(event, 'nodeId') === 'call-tool')) return send();
        const place = `${sourceRunId} ${String(body['fromSeq'])}`;
        const first = made.get(place);
        if (first === undefined) {
          const response = send();
          made.set(
            place,
            response.then((each) => each.clone().json()),
          );
          return response;
        }
        await ended(call, await first);
        const path = `http://host/v1/runs/${String(member(await first, 'runId'))}:fork`;
        const replay = { method: 'POST', headers: without(headers, 'content-length'), body: '{"mode":"replay"}' };
        const answer: unknown = await (await next(new Request(path, replay))).json();
        const { mode, fromSeq } = body;
        return Response.json({ ...Object(answer), sourceRunId, mode, fromSeq }, { status: 201 });
      })();
    },
  },
  'branch-answers-its-source': {
    breaks: 'The answer to the question of a branch answers that of its source, too.',
    kills: ['fork.branch-is-independent.waiting'],
    parts: () => ({ middleware: passingOn({ ending: ANSWERS, to: 'source' }) }),
  },
  'source-answers-its-branches': {
    breaks: 'The answer to the question of a run answers those of its branches, too.',
    kills: ['fork.branch-is-independent.waiting'],
    parts: () => ({ middleware: passingOn({ ending: ANSWERS, to: 'branches' }) }),
  },
  'branch-cancels-its-source': {
    breaks: 'With a branch its source is cancelled.',
    kills: ['fork.branch-is-independent.cancelled'],
    parts: () => ({ middleware: passingOn({ ending: CANCELS, to: 'source' }) }),
  },
  'branch-cancels-its-source-unsaid': {
    breaks: 'With a branch its source is cancelled, and an answer to a cancelled run is said to be taken.',
    kills: ['fork.branch-is-independent.cancelled'],
    alsoBreaks: { 'schema.interrupt': 'an answer to a run that was cancelled is taken' },
    parts: () => ({
      middleware: (next) =>
        passingOn({ ending: CANCELS, to: 'source' })(async (request) => {
          const response = await next(request);
          const { pathname } = new URL(request.url);
          const [, runId = '', rest = ''] = RUN.exec(pathname) ?? [];
          const isMeant = ANSWERS.test(rest) && (response.status === 410 || response.status === 422);
          return isMeant ? Response.json({ runId, status: 'cancelled' }) : response;
        }),
    }),
  },
  'branch-cancels-the-snapshot-of-its-source': {
    breaks: 'Once a branch was cancelled, the snapshot of its source says that this was.',
    kills: ['fork.branch-is-independent.cancelled'],
    parts: () => {
      const cancelled = new Set<unknown>();
      return {
        middleware: passingOn({ ending: CANCELS, to: 'source', how: (source) => void cancelled.add(source) }),
        snapshotOnWire: (snapshot) =>
          cancelled.has(snapshot['runId']) ? { ...snapshot, status: 'cancelled' } : snapshot,
      };
    },
  },
  'source-cancels-its-branches': {
    breaks: 'With a run its branches are cancelled.',
    kills: ['fork.branch-is-independent.cancelled'],
    parts: () => ({ middleware: passingOn({ ending: CANCELS, to: 'branches' }) }),
  },
  'branch-writes-in-the-name-of-its-source': {
    breaks: 'The events of a branch carry the run id of its source.',
    kills: ['fork.branch-is-independent'],
    parts: namingSources('branch'),
  },
  'branch-changes-its-sibling': changingSiblings(
    'A branch changes what the branch that was made before it has written.',
    true,
  ),
  'branch-changes-the-history-of-its-sibling': changingSiblings(
    'A branch changes the history of the branch that was made before it.',
    false,
  ),
  'branches-share-a-run': {
    breaks: 'All branches of one run are one run.',
    kills: ['fork.created.own-id'],
    parts: (conformant) => {
      const branches = new Map<string, unknown>();
      return forkAnswered((answer, { body, sourceRunId }) => {
        if (body['mode'] !== 'branch') return answer;
        const runId = branches.get(sourceRunId) ?? answer['runId'];
        branches.set(sourceRunId, runId);
        return { ...answer, runId };
      })(conformant);
    },
  },
  'branch-unadvertised': {
    breaks: 'Branches are carried out although the replay block leaves them out.',
    kills: ['fork.unadvertised-mode'],
    parts: advertisingWith(['replay'], { modes: ['replay'] }),
  },
};

/** A branch changes the log of the branch that was made before it, from that one's fork point on or below it. */
function changingSiblings(breaks: string, own: boolean): Defect {
  return {
    breaks,
    kills: ['fork.branch-is-independent'],
    parts: (conformant) => {
      const siblings = new Map<string, { readonly runId: string; readonly fromSeq: number }>();
      const changed = new Map<string, number>();
      return {
        ...forkAnswered((answer, { body, sourceRunId }) => {
          if (body['mode'] !== 'branch') return answer;
          const sibling = siblings.get(sourceRunId);
          if (sibling !== undefined) changed.set(sibling.runId, sibling.fromSeq);
          siblings.set(sourceRunId, { runId: String(answer['runId']), fromSeq: Number(body['fromSeq']) });
          return answer;
        })(conformant),
        eventOnWire: (event) => {
          const fromSeq = changed.get(event.runId);
          if (fromSeq === undefined || event.sequence >= fromSeq !== own) return event;
          return { ...event, payload: { ...Object(event.payload), superseded: true } };
        },
      };
    },
  };
}

function emptied(event: RunEvent): RunEvent {
  return event.type === 'variable.changed' ? { ...event, payload: { ...Object(event.payload), value: null } } : event;
}
