import { phase4 } from '../../src/contract/gates.ts';
import { isClientError } from '../../src/protocol/status.ts';
import { askKeys, lineTo } from './ask.ts';
import { after, before } from './invariance-asks.ts';
import { judgeRejection } from './judge-rejection.ts';
import { probe, requestText } from './requests.ts';
import { seamRow } from './seam-row.ts';

const id = 'cache-key.rejects-malformed';
const title = 'A request without provider, model or messages is refused with a 4xx and gets no key';

const asks = [
  ...before,
  probe('provider missing', '{"model":"gpt-4","messages":[{"role":"user","content":"hello"}]}'),
  probe('model missing', '{"provider":"openai","messages":[{"role":"user","content":"hello"}]}'),
  probe('messages missing', '{"provider":"openai","model":"gpt-4"}'),
  probe('messages no array', requestText({ messages: '"hello"' })),
  probe('messages null', requestText({ messages: 'null' })),
  probe('an empty object', '{}'),
  probe('an array', `[${requestText()}]`),
  probe('a string', '"hello"'),
  probe('not JSON', '{"provider":"openai",'),
  ...after,
];

/** replay.md §A: the three fields that are not optional. */
export const rejectsMalformed = seamRow({
  id,
  title,
  gate: phase4,
  drive: (hostProbe) => askKeys(lineTo(hostProbe), asks),
  judge: (observations) =>
    judgeRejection(observations, {
      check: id,
      expected: 'a 4xx and no key',
      wrong: ({ answer }) => answer.kind !== 'refused' || !isClientError(answer.status) || answer.key !== undefined,
      advise: () => undefined,
      diagnose: () => undefined,
    }),
});
