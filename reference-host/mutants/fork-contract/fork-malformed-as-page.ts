import type { Mutant } from '../mutant.ts';
import { parseJson } from '../../json.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkMalformedAsPage: Mutant = {
  id: 'fork-malformed-as-page',
  breaks: 'The framework answers a body that is not JSON with a page of its own.',
  kills: ['fork.rejects-malformed-body', 'fork.error-envelope'],
  parts: forking(({ text, send }) =>
    parseJson(text).ok
      ? send()
      : new Response('<!doctype html><title>Bad Request</title>', {
          status: 400,
          headers: { 'content-type': 'text/html' },
        }),
  ),
};
