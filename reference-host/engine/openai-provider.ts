import { askJson, type JsonAnswer } from '../ask-json.ts';
import { parseJson } from '../json.ts';
import type { Completion, Provider } from '../types/provider.ts';
import { chatBody, readCompletion } from './chat-completions.ts';

const PATIENCE_MS = 10_000;

export interface OpenAiProviderOptions {
  /** Whether runs may make this host call addresses that they name. */
  readonly outbound: boolean;
  /** Aborts when the host closes. */
  readonly closing: AbortSignal;
  /** How long a call may take, in milliseconds; ten seconds where nothing is said. */
  readonly patienceMs?: number;
}

/** The provider `openai-compatible`: whatever server the run names, asked by `POST /chat/completions`. */
export function createOpenAiProvider(options: OpenAiProviderOptions): Provider {
  return {
    revision: () => undefined,
    async complete(call) {
      if (!options.outbound) return unavailable('This host calls no model provider outside itself.');
      if (call.baseUrl === undefined) return unavailable('The inputs of the run name no model provider.');
      const posted = await askJson({
        method: 'POST',
        url: `${call.baseUrl}/chat/completions`,
        body: chatBody(call.request),
        patienceMs: options.patienceMs ?? PATIENCE_MS,
        closing: options.closing,
      });
      return completionIn(posted);
    },
  };
}

function completionIn(posted: JsonAnswer): Completion {
  if (!posted.ok) return failed(`The model provider could not be asked: ${posted.why}.`);
  if (posted.status !== 200) return failed(`The model provider answered with status ${posted.status}.`);
  const read = parseJson(posted.text);
  const response = read.ok ? readCompletion(read.value) : undefined;
  return response === undefined ? failed('The model provider gave no chat completion.') : { ok: true, response };
}

function unavailable(message: string): Completion {
  return { ok: false, code: 'provider_unavailable', message };
}

function failed(message: string): Completion {
  return { ok: false, code: 'provider_failed', message };
}
