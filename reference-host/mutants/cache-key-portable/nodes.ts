import { isObject, type JsonObject } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import { type Defect, type Defects, within } from '../mutant.ts';
import { keying, sha256, without } from '../shared/key-parts.ts';

type ReplayedCall = Parameters<HostParts['llmCache']['onReplay']>[0];

/** What is red where replays ask the model of structured calls, too. */
const ASKED_BEFORE = {
  kills: ['cache-key.every-llm-node', 'refusal.cached-response-wins'],
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

/** A defect of the keys under which nodes keep answers, beside a seam that computes the right ones. */
function keyedOtherwise(breaks: string, change: (key: string, request: JsonObject) => string): Defect {
  // Whoever asks the seam has a credential; a node has no headers.
  const parts = keying((key, { headers, request }) =>
    headers.has('authorization') || !isObject(request) ? key : change(key, request),
  );
  return { breaks, kills: ['cache-key.nodes-use-it'], parts };
}

/** Nodes whose keys leave a member out: those that have it keep their answers under another key. */
function keyedWithout(name: string): Defect {
  return keyedOtherwise(`Nodes leave ${name} out of their keys; the seam does not.`, (key, request) =>
    name in request && JSON.stringify(request[name]) !== '[]' ? sha256(JSON.stringify(without(request, name))) : key,
  );
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
  'calls-under-way-shared-across-tenants': {
    breaks: 'A run is given what a model outside the host answers to a run of another tenant that waits for it.',
    kills: ['cache-key.not-a-security-boundary.counted-at-witness'],
    parts: () => {
      const waiting = new Map<string, string>();
      const served = new Set<string>();
      return {
        written: (draft, { run: { runId, tenant } }) => {
          if (draft.nodeId !== 'provider-call') return [draft];
          if (draft.type === 'node.started') {
            if ([...waiting.values()].some((other) => other !== tenant)) served.add(runId);
            waiting.set(runId, tenant);
          }
          if (draft.type === 'node.completed') waiting.delete(runId);
          if (!served.has(runId)) return [draft];
          const given = JSON.stringify(draft.payload, (name, value: unknown) => (name === 'valid' ? true : value));
          return [{ ...draft, payload: JSON.parse(given) as unknown }];
        },
      };
    },
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
  'replay-loses-calls-of-tools': {
    breaks:
      'A replay is served what a model outside the host said, without the tools that it called, and says that it differs.',
    kills: ['cache-key.every-llm-node'],
    seenIn: 'cache-key.nodes-use-it',
    parts: () => ({
      written: (draft, { run: { fork } }) => {
        if (fork?.mode !== 'replay' || draft.nodeId !== 'tool-call') return [draft];
        const lost = JSON.stringify(draft.payload, (name, value: unknown) => (name === 'toolCalls' ? [] : value));
        return [{ ...draft, payload: JSON.parse(lost) as unknown }];
      },
    }),
  },
  'replay-asks-outside-models-last-node': {
    ...askingAgain(
      'A replay asks a model outside the host again for the last node of several, and is answered the same.',
      ({ nodeId }) => nodeId === 'schema-call',
    ),
    seenIn: 'cache-key.nodes-use-it',
  },
  'replay-asks-refused-nodes': askingAgain(
    'A replay asks the provider again where a refusal is recorded.',
    ({ envelope }) => envelope === 'refusal',
    { kills: ['refusal.cached-refusal'] },
  ),
  'node-keys-salted': keyedOtherwise("Nodes keep answers under another key than the recipe's.", (key) => sha256(key)),
  'node-keys-without-temperature': keyedWithout('temperature'),
  'node-keys-without-tools': keyedWithout('tools'),
  'node-keys-without-response-format': keyedWithout('responseFormat'),
  'node-keys-without-model': keyedWithout('model'),
  'node-served-by-messages': {
    breaks: 'A node whose messages are those of another one is served what that was answered in the same run.',
    kills: ['cache-key.nodes-use-it'],
    parts: within('llmCache', ({ invocationId }) => ({
      invocationId: (call) =>
        invocationId({ ...call, nodeId: call.nodeId.replace(/^(?:tool|schema)-call$/u, 'plain-call') }),
    })),
  },
  'node-keys-of-composed-texts': keyedOtherwise(
    'Nodes hash texts in their composed Unicode form; the seam does not.',
    (key, request) => {
      const text = JSON.stringify(request);
      return text === text.normalize('NFC') ? key : sha256(text.normalize('NFC'));
    },
  ),
  'node-keys-in-upper-case': keyedOtherwise('Nodes write their keys in upper case.', (key) => key.toUpperCase()),
};
