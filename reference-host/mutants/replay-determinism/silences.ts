import type { EventDraft } from '../../store/event.ts';
import type { Defects } from '../mutant.ts';
import { leftOut } from '../shared/fork-parts.ts';
import { losingEvents, saying, writingInstead, writingOthers, writingPayloads } from '../shared/silent-replays.ts';

/** Before a node completes, this stands in the log. */
function before(event: EventDraft): (draft: EventDraft) => readonly EventDraft[] {
  return (draft) => [event, draft];
}

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
    kills: ['sequence.state-equal.concurrent'],
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
  'replay-writes-another-pin': {
    breaks: 'A replay takes the version that was pinned, and writes the next one into version.pinned.',
    kills: ['replay.version-pins-kept.full-replay'],
    parts: writingPayloads('version.pinned', (payload) => ({ ...payload, version: Number(payload['version']) + 1 })),
  },
};
