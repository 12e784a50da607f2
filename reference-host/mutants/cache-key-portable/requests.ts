import { member } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import { eachOf, finiteNumber, projecting, writing } from '../shared/key-parts.ts';
import { answering } from '../shared/run-wire.ts';

/** Requests that have no key. */
export const defects: Defects = {
  'key-utf8-replacement': {
    breaks: 'A lone surrogate is replaced by U+FFFD and hashed.',
    kills: ['cache-key.rejects-non-json-values'],
    parts: writing({ string: (text) => JSON.stringify(text.toWellFormed()) }),
  },
  'descriptions-made-well-formed': {
    breaks: 'A lone surrogate in the description of a tool is replaced by U+FFFD and hashed.',
    kills: ['cache-key.rejects-non-json-values'],
    parts: projecting((projected) =>
      eachOf(projected, 'tools', (tool) => {
        const description = member(tool, 'description');
        return typeof description === 'string' ? { ...tool, description: description.toWellFormed() } : tool;
      }),
    ),
  },
  'out-of-range-number-accepted': {
    breaks: 'A number beyond binary64 is hashed as null.',
    kills: ['cache-key.rejects-non-json-values'],
    parts: writing({ number: (value) => (Number.isFinite(value) ? finiteNumber(value) : 'null') }),
  },
  'malformed-request-accepted': {
    breaks: 'A request without its required fields gets a key.',
    kills: ['cache-key.rejects-malformed'],
    parts: () => ({ validateKeyRequest: () => undefined }),
  },
  'malformed-request-fails': {
    breaks: 'A request without its required fields makes the host fail with a 500.',
    kills: ['cache-key.rejects-malformed'],
    parts: ({ validateKeyRequest }) => ({
      validateKeyRequest: (request) => {
        const problem = validateKeyRequest(request);
        if (problem !== undefined) throw new TypeError(problem);
        return undefined;
      },
    }),
  },
  'malformed-request-answered-ok': {
    breaks: 'A malformed request is answered with 200 and an error instead of a 4xx.',
    kills: ['cache-key.rejects-malformed'],
    parts: answering('POST', /\/llm-cache-key$/, async (answer) => {
      const response = await answer();
      return response.status === 400 ? new Response(response.body, { headers: response.headers }) : response;
    }),
  },
  'messages-not-needed': {
    breaks: 'A request without messages gets a key.',
    kills: ['cache-key.rejects-malformed'],
    parts: ({ validateKeyRequest }) => ({
      validateKeyRequest: (request) =>
        member(request, 'messages') === undefined ? undefined : validateKeyRequest(request),
    }),
  },
};
