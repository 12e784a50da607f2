import { describe, expect, it } from 'vitest';
import { withChatServer, withServer } from '../../test/chat-server.ts';
import { chatBody, readCompletion, createOpenAiProvider } from './openai-provider.ts';

const messages = [{ role: 'user', content: 'hello' }];
const request = { provider: 'openai-compatible', model: 'm', messages };
const answer = (message: object, more: object = {}): unknown => ({ choices: [{ message, ...more }] });
const usage = { inputTokens: 0, outputTokens: 0 };

describe('chatBody', () => {
  it('has the model and the messages, and nothing of the provider', () => {
    expect(chatBody(request)).toEqual({ model: 'm', messages });
  });

  it('has the temperature, the tools as functions and the schema where the request has them', () => {
    const tool = { name: 'lookup', description: 'd', parameters: { type: 'object' } };
    const schema = { type: 'object' };
    const full = { ...request, temperature: 0, tools: [tool], responseFormat: { type: 'json', schema } };
    expect(chatBody(full)).toEqual({
      model: 'm',
      messages,
      temperature: 0,
      tools: [{ type: 'function', function: tool }],
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    });
  });
});

describe('readCompletion', () => {
  it.each([
    ['text', answer({ content: 'hi' }), { content: 'hi', stopReason: 'end_turn', usage }],
    ['cut-off text', answer({ content: 'hi' }, { finish_reason: 'length' }), { stopReason: 'max_tokens' }],
    ['an empty refusal beside text', answer({ content: 'hi', refusal: '' }), { content: 'hi', stopReason: 'end_turn' }],
    ['a refusal', answer({ content: null, refusal: 'no' }), { content: null, stopReason: 'safety', refusalText: 'no' }],
    [
      'a filter',
      answer({ content: null }, { finish_reason: 'content_filter' }),
      { content: null, stopReason: 'safety' },
    ],
  ])('reads %s', (_, body, expected) => {
    expect(readCompletion(body)).toMatchObject(expected);
  });

  it('reads tool calls in the form of the tool-calling node', () => {
    const call = { type: 'function', function: { name: 'lookup', arguments: '{"term":"x"}' } };
    const toolCalls = [{ name: 'lookup', arguments: { term: 'x' } }];
    expect(readCompletion(answer({ content: null, tool_calls: [call] }))?.content).toEqual({ text: '', toolCalls });
  });

  it('counts tokens only where the server does', () => {
    const counted = { ...Object(answer({ content: '' })), usage: { prompt_tokens: 2, completion_tokens: -1 } };
    expect(readCompletion(counted)?.usage).toEqual({ inputTokens: 2, outputTokens: 0 });
  });

  it.each([[null], [[]], [{}], [{ choices: {} }], [{ choices: [null] }], [answer({})], [answer({ content: 7 })]])(
    'does not read %j',
    (body) => {
      expect(readCompletion(body)).toBeUndefined();
    },
  );
});

describe('createOpenAiProvider', () => {
  it('gives a server that never answers up', async () => {
    await withServer(
      () => undefined,
      async (url) => {
        const closing = new AbortController().signal;
        const provider = createOpenAiProvider({ outbound: true, closing, patienceMs: 20 });
        const completion = await provider.complete({ nodeId: 'n', request, unstaged: null, baseUrl: url });
        expect(completion).toMatchObject({ ok: false, code: 'provider_failed' });
      },
    );
  });

  it('sends what becomes of a body', async () => {
    await withChatServer(async ({ witnessUrl, asked }) => {
      const provider = createOpenAiProvider({
        outbound: true,
        closing: new AbortController().signal,
        patienceMs: 60_000,
        adapted: (body) => ({ ...body, seed: 7 }),
      });
      await provider.complete({ nodeId: 'n', request, unstaged: null, baseUrl: witnessUrl });
      expect(asked).toMatchObject([{ body: { model: 'm', messages, seed: 7 } }]);
    });
  });
});
