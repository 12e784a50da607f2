import { newId } from '../../ids.ts';
import { digest, serialise } from '../../recipe/cache-key.ts';
import type { Defects } from '../mutant.ts';
import { onReplayOf, withPayload } from '../shared/replay-parts.ts';

/** What a replay takes from the records. */
export const defects: Defects = {
  'clock-read-again': {
    breaks: 'A replay reads the clock again.',
    kills: ['replay.logical-clock'],
    parts: onReplayOf('core.clock', () => undefined),
  },
  'interrupt-asked-again': {
    breaks: 'A replay asks again what was answered.',
    kills: ['replay.interrupt-short-circuits', 'replay.interrupt-short-circuits.recorded-value'],
    waits: true,
    parts: onReplayOf('core.interrupt.answer', () => undefined),
  },
  'interrupt-other-value': {
    breaks: 'A replay goes on with another answer than the recorded one.',
    kills: ['replay.interrupt-short-circuits.recorded-value', 'sequence.state-equal'],
    parts: onReplayOf('core.interrupt.answer', (recorded) => ({ ...recorded, value: { approved: false } })),
  },
  'memory-id-minted-again': {
    breaks: 'A replay mints new ids for memories.',
    kills: ['replay.recorded-facts-verbatim'],
    parts: onReplayOf('core.memory.write', (recorded) => ({
      ...recorded,
      events: recorded.events.map((event) =>
        event.type === 'memory.written' ? withPayload(event, { memoryId: newId('mem') }) : event,
      ),
    })),
  },
  'memory-id-minted-in-history': {
    breaks: 'A fork mints new ids for the memories of its history.',
    kills: ['replay.recorded-facts-verbatim.in-history', 'sequence.prefix-equal'],
    parts: ({ replay }) => ({
      replay: {
        ...replay,
        inherited: (history) =>
          history.map((event) =>
            event.type === 'memory.written' ? withPayload(event, { memoryId: newId('mem') }) : event,
          ),
      },
    }),
  },
  'memory-time-taken-again': {
    breaks: 'A replay says that memories were written when it was made.',
    kills: ['replay.recorded-facts-verbatim'],
    parts: onReplayOf('core.memory.write', (recorded) => ({
      ...recorded,
      events: recorded.events.map((event) =>
        event.type === 'memory.written' ? withPayload(event, { writtenAt: new Date().toISOString() }) : event,
      ),
    })),
  },
  'memory-time-taken-in-history': {
    breaks: 'A fork says that the memories of its history were written when it was made.',
    kills: ['replay.recorded-facts-verbatim.in-history', 'sequence.prefix-equal'],
    parts: ({ replay }) => ({
      replay: {
        ...replay,
        inherited: (history) =>
          history.map((event) =>
            event.type === 'memory.written' ? withPayload(event, { writtenAt: new Date().toISOString() }) : event,
          ),
      },
    }),
  },
  'memory-written-twice': {
    breaks: 'A replay writes each recorded fact twice.',
    kills: ['replay.recorded-facts-verbatim'],
    parts: onReplayOf('core.memory.write', (recorded) => ({
      ...recorded,
      events: recorded.events.flatMap((event) => (event.type === 'memory.written' ? [event, event] : [event])),
    })),
  },
  'replay-asks-outside-model': {
    breaks: 'A replay asks a model outside the host again.',
    kills: ['replay.no-second-external-call.model', 'refusal.cached-response-wins'],
    parts: ({ llmCache }) => ({
      llmCache: {
        ...llmCache,
        onReplay: (call) => (call.nodeId === 'provider-call' ? 'ask' : llmCache.onReplay(call)),
      },
    }),
  },
  'tool-answer-lost': {
    breaks: 'A replay calls no tool and has an empty answer in the place of the recorded one.',
    kills: [
      'replay.no-second-external-call.cached-response',
      'sequence.nondeterministic-tool',
      'once.verification-human.resume',
    ],
    alsoBreaks: {
      'sequence.state-equal': 'the tool answers anew, and its result goes on into what this row compares',
      'sequence.side-effects-cached': 'the tool answers anew, and its result goes on into what this row compares',
      'sequence.content-addressed-tools': 'the tool answers anew, and its result goes on into what this row compares',
      'sequence.parallel-branches': 'the tool answers anew, and its result goes on into what this row compares',
    },
    parts: onReplayOf('core.tool.http', ({ events }) => ({
      value: { kind: 'answered', answer: null },
      events: events.map((event) => withPayload(event, { value: null, data: null })),
    })),
  },
  /** A record under a name of its own is one that no other run has. */
  'tool-called-from-the-middle': {
    breaks: 'A replay that inherits history calls tools again.',
    kills: [
      'replay.no-second-external-call',
      'sequence.nondeterministic-tool',
      'replay.no-second-external-call.cached-response',
    ],
    alsoBreaks: {
      'sequence.side-effects-cached': 'the tool answers anew, and its result goes on into what this row compares',
      'sequence.content-addressed-tools': 'the tool answers anew, and its result goes on into what this row compares',
    },
    parts: ({ replay, actKey }) => {
      const calling = new Set<string>();
      return {
        replay: {
          ...replay,
          startsFrom: (state, run) => {
            if (run.fork?.mode === 'replay' && run.fork.fromSeq > 0) calling.add(run.runId);
            return replay.startsFrom(state, run);
          },
        },
        actKey: (request, actor) =>
          calling.has(actor.runId) && actor.nodeId === 'call-tool'
            ? digest(serialise({ request, runId: actor.runId }))
            : actKey(request, actor),
      };
    },
  },
  'tool-called-on-replay': {
    breaks: 'A replay calls tools again.',
    kills: [
      'replay.no-second-external-call',
      'replay.no-second-external-call.replay-of-replay',
      'replay.no-second-external-call.cached-response',
      'sequence.nondeterministic-tool',
      'once.verification-strict',
      'once.verification-human.resume',
    ],
    alsoBreaks: {
      'sequence.state-equal': 'the tool answers anew, and its result goes on into what this row compares',
      'sequence.side-effects-cached': 'the tool answers anew, and its result goes on into what this row compares',
      'sequence.content-addressed-tools': 'the tool answers anew, and its result goes on into what this row compares',
      'sequence.parallel-branches': 'the tool answers anew, and its result goes on into what this row compares',
      'once.idempotency-key.replay': 'the second call has a key of its own run',
      'once.verification-warn': 'each mode of verification forbids the call',
      'once.verification-human': 'each mode of verification forbids the call',
    },
    parts: onReplayOf('core.tool.http', () => undefined),
  },
  /** Records are looked up in the source run only. */
  'tool-called-on-second-replay': {
    breaks: 'The replay of a replay calls tools again.',
    kills: ['replay.no-second-external-call.replay-of-replay', 'replay.no-second-external-call.cached-response'],
    parts: ({ replay, actKey }) => {
      const calling = new Set<string>();
      const replays = new Set<string>();
      return {
        replay: {
          ...replay,
          startsFrom: (state, run) => {
            if (run.fork?.mode !== 'replay') return replay.startsFrom(state, run);
            if (replays.has(run.fork.parentRunId)) calling.add(run.runId);
            replays.add(run.runId);
            return replay.startsFrom(state, run);
          },
        },
        actKey: (request, actor) =>
          calling.has(actor.runId) && actor.nodeId === 'call-tool'
            ? digest(serialise({ request, runId: actor.runId }))
            : actKey(request, actor),
      };
    },
  },
  'version-pin-newest': {
    breaks: 'A full replay pins the newest version anew.',
    kills: ['replay.version-pins-kept.full-replay'],
    parts: onReplayOf('core.version', () => undefined),
  },
  'version-pin-not-inherited': {
    breaks: 'A fork does not inherit what its history pinned.',
    kills: ['replay.version-pins-kept'],
    parts: ({ replay }) => ({
      replay: {
        ...replay,
        inherited: (history) => history.filter(({ type }) => type !== 'version.pinned'),
      },
    }),
  },
};
