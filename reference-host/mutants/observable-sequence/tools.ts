import type { JsonObject } from '../../json.ts';
import type { RunEvent } from '../../store/event.ts';
import type { Defect, Defects } from '../mutant.ts';
import { forkAnswered, leftOut } from '../shared/fork-parts.ts';
import { forgetting, recalling } from '../shared/replay-parts.ts';

/** Tools and their cached answers. */
export const defects: Defects = {
  'tool-return-value-only': {
    breaks: 'A replay serves what a tool returned and forgets what the call did to the run.',
    kills: ['sequence.side-effects-cached'],
    parts: forgetting('core.tool.http', ['variable.changed', 'channel.written', 'log.appended']),
  },
  'tool-channel-forgotten': {
    breaks: 'A replay serves a tool without the channel that the call wrote.',
    kills: ['sequence.side-effects-cached'],
    parts: forgetting('core.tool.http', ['channel.written']),
  },
  'tool-log-forgotten': {
    breaks: 'A replay serves a tool without the event that the call emitted.',
    kills: ['sequence.side-effects-cached'],
    parts: forgetting('core.tool.http', ['log.appended']),
  },
  'tool-variable-forgotten': {
    breaks: 'A replay serves a tool without the variable that the call wrote.',
    kills: ['sequence.side-effects-cached'],
    alsoBreaks: {
      'sequence.state-equal': 'the variable is missing there, too',
    },
    parts: forgetting('core.tool.http', ['variable.changed']),
  },
  'replays-copy-more-than-the-tool-answered': {
    breaks: 'In a replay from the start the node behind the tool puts out more than the recorded result.',
    kills: ['sequence.nondeterministic-tool'],
    parts: inFullReplays((event) => {
      if (event.type !== 'node.completed' || event.nodeId !== 'after') return event;
      const payload = Object(event.payload) as JsonObject;
      const output = Object(payload['output']) as JsonObject;
      return 'nonce' in output ? { ...event, payload: { ...payload, output: { ...output, copied: true } } } : event;
    }),
  },
  'full-replays-write-channels-without-values': {
    breaks: 'The log of a replay from the start says that channels were written, and not with what.',
    kills: ['sequence.state-equal'],
    parts: inFullReplays((event) =>
      event.type === 'channel.written'
        ? { ...event, payload: leftOut(Object(event.payload) as JsonObject, 'value') }
        : event,
    ),
  },
  'tool-called-again': {
    breaks: 'A replay calls tools again although their answers are recorded.',
    kills: ['replay.no-second-external-call'],
    parts: recalling('core.tool.http', () => undefined),
  },
  'tool-key-with-counter': {
    breaks: 'The name of a recorded tool call holds the number of events before it.',
    kills: ['sequence.content-addressed-tools'],
    parts: ({ actKey }) => ({
      actKey: (request, actor) =>
        actor.nodeId === 'call-tool' ? `${actKey(request, actor)}-${actor.logLength()}` : actKey(request, actor),
    }),
  },
  'tool-key-with-clock': {
    breaks: 'The name of a recorded tool call holds the time.',
    kills: ['replay.no-second-external-call'],
    parts: ({ actKey }) => ({
      actKey: (request, actor) =>
        actor.nodeId === 'call-tool' ? `${actKey(request, actor)}-${process.hrtime.bigint()}` : actKey(request, actor),
    }),
  },
};

/** Shows the events of replays from the start otherwise. */
function inFullReplays(shown: (event: RunEvent) => RunEvent): Defect['parts'] {
  return (conformant) => {
    const replays = new Set<unknown>();
    return {
      ...forkAnswered((answer, { body }) => {
        if (body['mode'] === 'replay' && !(Number(body['fromSeq']) > 0)) replays.add(answer['runId']);
        return answer;
      })(conformant),
      eventOnWire: (event) => (replays.has(event.runId) ? shown(event) : event),
    };
  };
}
