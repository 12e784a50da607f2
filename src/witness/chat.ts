import { randomBytes } from 'node:crypto';
import type { Json } from '../evidence/types.ts';
import type { ChatAnswer } from '../evidence/witness.ts';

/** An answer in the shape of OpenAI's chat completions; a refusal is the provider's, with no content. */
export function completion(answer: ChatAnswer, model: string): Json {
  const message = {
    role: 'assistant',
    content: answer.kind === 'valid' ? answer.content : null,
    refusal: answer.kind === 'refusal' ? answer.text : null,
  };
  return {
    ...envelope('chat.completion', model),
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** The same answer as the events of a stream, for a host that asks with `stream: true`. */
export function completionChunks(answer: ChatAnswer, model: string): string {
  const head = envelope('chat.completion.chunk', model);
  const said = answer.kind === 'valid' ? { content: answer.content } : { refusal: answer.text };
  const choices = [
    { index: 0, delta: { role: 'assistant', ...said }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finishReason(answer) },
  ];
  const chunks = choices.map((choice) => JSON.stringify({ ...head, choices: [choice] }));
  return [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function envelope(object: string, model: string) {
  const id = `chatcmpl-${randomBytes(12).toString('hex')}`;
  return { id, object, created: Math.floor(Date.now() / 1000), model };
}

function finishReason(answer: ChatAnswer): string {
  return answer.kind === 'valid' ? 'stop' : 'content_filter';
}
