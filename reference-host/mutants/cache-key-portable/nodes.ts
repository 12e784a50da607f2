import type { HostParts } from '../../parts.ts';
import type { Defect, Defects } from '../mutant.ts';
import { within } from '../shared/within.ts';

type ReplayedCall = Parameters<HostParts['llmCache']['onReplay']>[0];

/** What is red where replays ask the model of structured calls, too. */
const ASKED_BEFORE = {
  kills: ['cache-key.every-llm-node', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
};

/** A defect of replays: they ask the provider again where the call fits. */
function askingAgain(
  breaks: string,
  fits: (call: ReplayedCall) => boolean,
  red: Pick<Defect, 'kills'> = { kills: ['cache-key.every-llm-node'] },
): Defect {
  const parts = within('llmCache', ({ onReplay }) => ({ onReplay: (call) => (fits(call) ? 'ask' : onReplay(call)) }));
  return { breaks, ...red, parts };
}

/** LLM nodes and the cached responses behind the keys. */
export const defects: Defects = {
  'cache-shared-across-tenants': {
    breaks: 'A run is served the response that another tenant recorded for its structured call.',
    kills: ['cache-key.not-a-security-boundary.no-shared-response'],
    alsoBreaks: {
      'sequence.state-equal': 'a run that is served like this has no record of its own, so its replay asks',
    },
    parts: within('llmCache', () => ({
      namespace: () => 'everyone',
      liveMayShare: ({ nodeId }) => nodeId === 'structured-call',
    })),
  },
  'provider-responses-shared-across-tenants': {
    breaks: 'A run is served the response that another tenant recorded for a model outside the host.',
    kills: ['cache-key.not-a-security-boundary.counted-at-witness'],
    parts: within('llmCache', () => ({
      namespace: () => 'everyone',
      liveMayShare: ({ nodeId }) => nodeId === 'provider-call',
    })),
  },
  'replay-asks-again': askingAgain(
    'A replay asks the provider again although the response is recorded.',
    () => true,
    ASKED_BEFORE,
  ),
  'replay-asks-plain-nodes': askingAgain(
    'A replay asks the provider again for nodes that are not marked idempotent.',
    (call) => !call.idempotent,
    ASKED_BEFORE,
  ),
  'replay-asks-idempotent-nodes': askingAgain(
    'A replay asks the provider again for nodes that are marked idempotent.',
    (call) => call.idempotent,
  ),
  'replay-asks-chat': askingAgain(
    'A replay asks the provider again for chat nodes.',
    (call) => call.typeId === 'core.ai.chat',
  ),
  'replay-asks-tool-calling': askingAgain(
    'A replay asks the provider again for tool calling nodes.',
    (call) => call.typeId === 'core.ai.toolCalling',
  ),
  'replay-asks-structured-output': askingAgain(
    'A replay asks the provider again for structured output nodes.',
    (call) => call.typeId === 'core.ai.structuredOutput',
    ASKED_BEFORE,
  ),
};
