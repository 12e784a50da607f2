import { isObject, member } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { EventDraft } from '../../store/event.ts';
import type { Defects, Parts } from '../mutant.ts';
import { leftOut } from '../shared/fork-parts.ts';
import {
  losingEvents,
  saying,
  showingOthers,
  writingInstead,
  writingOthers,
  writingPayloads,
} from '../shared/silent-replays.ts';

/** Before a node completes, this stands in the log. */
function before(event: EventDraft): (draft: EventDraft) => readonly EventDraft[] {
  return (draft) => [event, draft];
}

/** What nodes put out stands under another name in all logs, and is another value in those of replays. */
function puttingOutAs(name: string): Parts {
  const changing = writingPayloads('node.completed', (payload) => ({ ...payload, output: 'changed' }));
  return (conformant) => {
    const written: HostParts['written'] = (draft, writing) =>
      conformant.written(draft.type === 'node.completed' ? renamed(draft, name) : draft, writing);
    return { written, ...changing({ ...conformant, written }) };
  };
}

/** The same in replays from the start alone. */
function fromTheStart(changing: Parts): Parts {
  return (conformant) => {
    const { replay, written } = { ...conformant, ...changing(conformant) };
    return {
      replay,
      written: (draft, writing) => (writing.run.fork?.fromSeq === 0 ? written : conformant.written)(draft, writing),
    };
  };
}

function renamed(draft: EventDraft, name: string): EventDraft {
  if (!isObject(draft.payload) || draft.payload['output'] === undefined) return draft;
  return { ...draft, payload: { ...leftOut(draft.payload, 'output'), [name]: draft.payload['output'] } };
}

/** A value whose texts are others. */
function inOtherWords(value: unknown): unknown {
  if (typeof value === 'string') return 'other words';
  if (Array.isArray(value)) return value.map(inOtherWords);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inOtherWords(each)]));
}

/** The node of conformance-determinism-llm-retry. */
const RETRIED = 'retried-call';
const LINE = { type: 'log.appended', payload: { text: 'replayed' } } as const;
const SET = { type: 'variable.changed', payload: { name: 'isReplay', value: true } } as const;

/** What replays of every workflow show less of, or beside what their sources show, without a word. */
export const defects: Defects = {
  'replay-shows-no-ends-of-nodes': {
    breaks: 'The logs of replays show of no node that it completed.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: losingEvents('node.completed'),
  },
  'replay-shows-no-failures-of-nodes': {
    breaks: 'The logs of replays show of no node that it failed.',
    kills: ['replay.same-failure'],
    parts: losingEvents('node.failed'),
  },
  'replay-shows-no-retries': {
    breaks: 'The logs of replays show of no node that it was tried again.',
    kills: ['replay.same-failure'],
    parts: losingEvents('node.retried'),
  },
  'replay-counts-attempts-otherwise': {
    breaks: 'The logs of replays give the attempts of nodes other numbers than they had.',
    kills: ['replay.same-failure'],
    parts: writingPayloads('node.retried', (payload) => ({ ...payload, attempt: 9 })),
  },
  'replay-shows-one-answer-of-several': {
    breaks: 'The logs of replays show of the answers of a node the first one alone.',
    kills: ['replay.interrupt-short-circuits.own-keys'],
    parts: losingEvents('interrupt.resolved', (payload) => /-[2-9]$/u.test(String(member(payload, 'key')))),
  },
  'replay-shows-answers-under-other-keys': {
    breaks: 'The logs of replays show each answer under another key than it was given under.',
    kills: ['replay.interrupt-short-circuits'],
    seenIn: 'sequence.sweep',
    parts: writingPayloads('interrupt.resolved', (payload) => ({ ...payload, key: `${String(payload['key'])}~` })),
  },
  'replay-takes-the-last-attempt-alone': {
    breaks: 'A replay of a run that completed shows of no node that it was tried again, and does not report it.',
    kills: ['replay.same-failure'],
    parts: ({ replay, written }) => ({
      replay: { ...replay, diverged: (report) => (report.nodeId === RETRIED ? [] : replay.diverged(report)) },
      written: (draft, writing) => {
        const isOther = draft.type === 'node.retried' && writing.run.fork?.mode === 'replay';
        return isOther && writing.source().some(({ type }) => type === 'run.completed') ? [] : written(draft, writing);
      },
    }),
  },
  'replay-takes-the-last-attempt-and-says-so': {
    breaks: 'The attempts of a node share one record: a replay takes the last answer at once, and reports that.',
    kills: ['replay.same-failure'],
    parts: ({ replay, written }) => ({
      replay: { ...replay, diverged: (report) => (report.nodeId === RETRIED ? [] : replay.diverged(report)) },
      written: (draft, writing) => {
        const isOther = draft.type === 'node.retried' && writing.run.fork?.mode === 'replay';
        if (!isOther || !writing.source().some(({ type }) => type === 'run.completed')) return written(draft, writing);
        return [{ ...draft, type: 'replay.diverged', payload: { sourceRunId: writing.run.fork?.parentRunId } }];
      },
    }),
  },
  'replay-shows-no-outputs': {
    breaks: 'The nodes of replays complete without their outputs.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingPayloads('node.completed', (payload) => leftOut(payload, 'output')),
  },
  'replay-shows-other-outputs': {
    breaks: 'The nodes of replays complete with another output than they had, whatever it was.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingPayloads('node.completed', (payload) => ({ ...payload, output: 'changed' })),
  },
  'replay-from-the-start-shows-other-outputs': {
    breaks: 'The nodes of replays from the start complete with another output than they had; later replays are right.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: fromTheStart(writingPayloads('node.completed', (payload) => ({ ...payload, output: 'other' }))),
  },
  'replay-shows-other-outputs-under-outputs': {
    breaks: 'Nodes show what they put out as outputs, and those of replays something else than they had.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: puttingOutAs('outputs'),
  },
  'replay-shows-other-outputs-under-result': {
    breaks: 'Nodes show what they put out as a result, and those of replays something else than they had.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: puttingOutAs('result'),
  },
  'replay-starts-nodes-of-another-type': {
    breaks: 'The nodes of replays start as those of another type than they were.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: showingOthers('node.started', (event) => [
      { ...event, payload: { ...Object(event['payload']), typeId: 'core.other' } },
    ]),
  },
  'replay-completes-nodes-of-other-ids': {
    breaks: 'The nodes of replays start under their ids, and complete under other ones.',
    kills: ['sequence.state-equal.concurrent'],
    parts: showingOthers('node.completed', (event) => [{ ...event, nodeId: `${String(event['nodeId'])}-2` }]),
  },
  'replay-decides-as-another-agent': {
    breaks: 'Decisions of replays are those of another agent than they were, and nothing is reported.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    seenIn: 'sequence.sweep',
    parts: writingPayloads('runOrchestrator.decided', (payload) => ({ ...payload, agentId: 'other' })),
  },
  'replay-shows-questions-of-another-kind': {
    breaks: 'A replay goes on with the recorded answer, and its log shows a question of another kind.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingPayloads('interrupt.requested', (payload) => ({ ...payload, kind: 'other' })),
  },
  'replay-shows-questions-under-other-keys': {
    breaks: 'A replay goes on with the recorded answer, and its log shows the question under another key.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingPayloads('interrupt.requested', (payload) =>
      payload['key'] === 'verification' ? payload : { ...payload, key: 'other' },
    ),
  },
  'replay-shows-other-questions': {
    breaks: 'A replay goes on with the recorded answer, and its log shows a question in other words.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingPayloads('interrupt.requested', (payload) => ({ ...payload, data: inOtherWords(payload['data']) })),
  },
  'replay-starts-with-other-inputs': {
    breaks: 'The logs of replays begin with another delay than their sources were given.',
    kills: ['sequence.state-equal'],
    parts: writingPayloads('run.started', (payload) =>
      member(payload['inputs'], 'delayMs') === undefined ? payload : { ...payload, inputs: { delayMs: 1 } },
    ),
  },
  'replay-starts-as-another-workflow': {
    breaks: 'The logs of replays begin as those of another workflow than that of their sources.',
    kills: ['sequence.state-equal.concurrent'],
    parts: writingPayloads('run.started', (payload) => ({ ...payload, workflowId: 'other' })),
  },
  'replay-adds-log-lines': {
    breaks: 'Replays write a line of their own into the log before a node completes.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingInstead('node.completed', before(LINE)),
  },
  'replay-adds-variables': {
    breaks: 'Replays set a variable of their own before a node completes.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingInstead('node.completed', before(SET)),
  },
  'replay-adds-log-lines-and-says-so': {
    breaks: 'Replays write a line of their own into the log before a node completes, and report that they differ.',
    kills: ['sequence.state-equal.concurrent'],
    parts: writingOthers('node.completed', before(LINE)),
  },
  'replay-completes-nodes-twice-and-says-so': {
    breaks: 'Replays write of every node twice that it completed, and report that they differ.',
    kills: ['sequence.state-equal.concurrent'],
    parts: writingOthers('node.completed', (draft) => [draft, draft]),
  },
  'replay-marks-outputs-and-says-so': {
    breaks: 'Replays add to the events of nodes that completed that this was in a replay, and report that they differ.',
    kills: ['sequence.state-equal.concurrent'],
    parts: writingOthers(
      'node.completed',
      saying((payload) => ({ ...payload, isReplay: true })),
    ),
  },
  'replay-writes-values-as-text-and-says-so': {
    breaks: 'Replays write the values of variables as JSON text, and report that they differ.',
    kills: ['sequence.state-equal'],
    parts: writingOthers(
      'variable.changed',
      saying((payload) => ({ ...payload, value: JSON.stringify(payload['value']) })),
    ),
  },
  'replay-empties-channels-and-says-so': {
    breaks: 'Replays write null into channels, and report that they differ.',
    kills: ['sequence.state-equal'],
    parts: writingOthers(
      'channel.written',
      saying((payload) => ({ ...payload, value: null })),
    ),
  },
  'replay-tells-how-long-nodes-took': {
    breaks: 'Events of replays tell how long nodes took, which those of their sources do not.',
    kills: ['sequence.state-equal.concurrent'],
    parts: writingPayloads('node.completed', (payload) => ({ ...payload, durationMs: 7 })),
  },
  'replay-counts-no-tokens': {
    breaks: 'A replay counts other tokens than its source, and does not report it.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: writingPayloads('provider.usage', (payload) => ({ ...payload, inputTokens: 0 })),
  },
  'replay-writes-another-pin': {
    breaks: 'A replay takes the version that was pinned, and writes the next one into version.pinned.',
    kills: ['replay.version-pins-kept.full-replay'],
    parts: writingPayloads('version.pinned', (payload) => ({ ...payload, version: Number(payload['version']) + 1 })),
  },
};
