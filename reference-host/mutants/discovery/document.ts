import type { JsonObject } from '../../json.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defects, Defect } from '../mutant.ts';
import {
  answeringDiscovery,
  EXECUTION_MODEL,
  advertising,
  advertisingWith,
  REPLAY_DETERMINISM,
} from '../shared/discovery-parts.ts';

/** A defect of the replayDeterminism block: it has other members. */
function replaying(breaks: string, kills: readonly string[], members: JsonObject): Defect {
  return { breaks, kills, parts: advertisingWith(REPLAY_DETERMINISM, members) };
}

/** A defect of the executionModel block: it has other members. */
function modelled(breaks: string, kills: readonly string[], members: JsonObject): Defect {
  return { breaks, kills, parts: advertisingWith(EXECUTION_MODEL, members) };
}

const MOVED = '/v1/discovery';

/** How the discovery document is answered, and what it says. */
export const defects: Defects = {
  'discovery-behind-credentials': {
    breaks: 'The discovery document is shown only to callers with a credential.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery((request, next) =>
      request.headers.has('authorization')
        ? next(request)
        : respond(refusal(401, 'unauthenticated', 'A valid bearer credential is needed.')),
    ),
  },
  'discovery-not-found': {
    breaks: 'The discovery document is not at its well-known path.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery(() => respond(refusal(404, 'not_found', 'There is nothing at this path.'))),
  },
  'discovery-redirected': {
    breaks: 'The well-known path redirects to the discovery document instead of answering with it.',
    kills: ['discovery.reachable'],
    parts: () => ({
      middleware: (next) => (request) => {
        const url = new URL(request.url);
        if (url.pathname === '/.well-known/openwop')
          return new Response(null, { status: 301, headers: { location: MOVED } });
        return next(url.pathname === MOVED ? new Request(new URL('/.well-known/openwop', url)) : request);
      },
    }),
  },
  'discovery-as-html': {
    breaks: 'The discovery document comes wrapped in a web page.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery(async (request, next) => {
      const document = await (await next(request)).text();
      return new Response(`<!doctype html><pre>${document}</pre>`, { headers: { 'content-type': 'text/html' } });
    }),
  },
  'discovery-as-list': {
    breaks: 'The discovery document is a JSON array.',
    kills: ['discovery.reachable'],
    parts: () => ({ discovery: (document) => [document] }),
  },
  'discovery-accepted-not-ok': {
    breaks: 'The discovery document is answered with 203 instead of 200.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery(async (request, next) => {
      const { body, headers } = await next(request);
      return new Response(body, { headers, status: 203 });
    }),
  },
  'discovery-of-nothing': {
    breaks: 'The discovery document is an empty object.',
    kills: ['discovery.shape'],
    parts: () => ({ discovery: () => ({}) }),
  },
  'discovery-without-limits': {
    breaks: 'The required member limits is missing from the discovery document.',
    kills: ['discovery.shape'],
    parts: advertising(['limits'], () => undefined),
  },
  'discovery-without-protocol-version': {
    breaks: 'The required member protocolVersion is missing from the discovery document.',
    kills: ['discovery.shape'],
    parts: advertising(['protocolVersion'], () => undefined),
  },
  'discovery-multi-agent-as-list': {
    breaks: 'multiAgent is a list of one block instead of an object.',
    kills: ['discovery.shape'],
    parts: advertising(['multiAgent'], (block) => [block]),
  },
  'discovery-protocol-version-unreadable': {
    breaks: 'protocolVersion is no version.',
    kills: ['schema.discovery'],
    parts: advertising(['protocolVersion'], () => 'latest'),
  },
  'discovery-limit-as-text': {
    breaks: 'A limit of the discovery document is a string instead of an integer.',
    kills: ['schema.discovery'],
    parts: advertisingWith(['limits'], { schemaRounds: '1' }),
  },
  'discovery-modes-as-text': {
    breaks: 'The replay modes are one string instead of a list.',
    kills: ['schema.discovery'],
    parts: advertisingWith(['replay'], { modes: 'replay' }),
  },
  'discovery-version-as-text': modelled('executionModel.version is the string "4".', ['discovery.execution-model'], {
    version: '4',
  }),
  'discovery-version-zero': modelled('executionModel.version is 0.', ['discovery.execution-model'], {
    version: 0,
  }),
  'discovery-version-fractional': modelled(
    'executionModel.version is 4.1, which is no integer.',
    ['discovery.execution-model'],
    { version: 4.1 },
  ),
  'discovery-model-supported-as-text': modelled(
    'executionModel.supported is the string "true".',
    ['discovery.execution-model'],
    { supported: 'true' },
  ),
  'discovery-model-supported-missing': {
    breaks: 'executionModel.supported is missing.',
    kills: ['discovery.execution-model'],
    parts: advertising([...EXECUTION_MODEL, 'supported'], () => undefined),
  },
  'discovery-feedback-as-text': {
    breaks: 'feedback.supported is the string "true".',
    kills: ['schema.discovery'],
    parts: advertisingWith(['feedback'], { supported: 'true' }),
  },
  'discovery-retention-window-as-text': {
    breaks: 'replay.retention.windowSeconds is a string.',
    kills: ['schema.discovery'],
    parts: advertisingWith(['replay', 'retention'], { windowSeconds: '3600' }),
  },
  'discovery-replay-determinism-open': replaying(
    'replayDeterminism has a member that does not belong to the closed block.',
    ['discovery.replay-determinism'],
    { cacheTtlSeconds: 3600 },
  ),
  'discovery-replay-supported-missing': {
    breaks: 'replayDeterminism.supported is missing.',
    kills: ['discovery.replay-determinism'],
    parts: advertising([...REPLAY_DETERMINISM, 'supported'], () => undefined),
  },
  'discovery-replay-supported-as-text': replaying(
    'replayDeterminism.supported is the string "true".',
    ['discovery.replay-determinism'],
    { supported: 'true' },
  ),
  'discovery-replay-determinism-as-flag': {
    breaks: 'replayDeterminism is true instead of a block.',
    kills: ['discovery.replay-determinism'],
    parts: advertising(REPLAY_DETERMINISM, () => true),
  },
  'discovery-recipe-misnamed': replaying(
    'The cache-key recipe has a name of no known form.',
    ['discovery.recipe-identifier'],
    { llmCacheKeyRecipe: 'rfc-0041' },
  ),
  'discovery-recipe-upper-case': replaying(
    'The name of the vendor recipe has upper-case letters.',
    ['discovery.recipe-identifier'],
    { llmCacheKeyRecipe: 'x-host-Acme-Prompt' },
  ),
  'discovery-recipe-not-text': replaying('The cache-key recipe is a number.', ['discovery.replay-determinism'], {
    llmCacheKeyRecipe: 41,
  }),
  'discovery-without-refusal-emission': {
    breaks: 'Version 4 is advertised without refusalDivergenceEmission.',
    kills: ['discovery.version-four-complete'],
    parts: advertising([...REPLAY_DETERMINISM, 'refusalDivergenceEmission'], () => undefined),
  },
  'discovery-refusal-emission-false': replaying(
    'Version 4 is advertised with refusalDivergenceEmission false.',
    ['discovery.version-four-complete'],
    { refusalDivergenceEmission: false },
  ),
  'discovery-without-recipe': {
    breaks: 'Version 4 is advertised without a cache-key recipe.',
    kills: ['discovery.version-four-complete'],
    parts: advertising([...REPLAY_DETERMINISM, 'llmCacheKeyRecipe'], () => undefined),
  },
  'discovery-without-replay-determinism': {
    breaks: 'Version 4 is advertised without the replayDeterminism block.',
    kills: ['discovery.version-four-complete'],
    parts: advertising(REPLAY_DETERMINISM, () => undefined),
  },
  'discovery-replay-unsupported': replaying(
    'Version 4 is advertised although replayDeterminism.supported is false.',
    ['discovery.version-four-complete'],
    { supported: false },
  ),
  'discovery-vendor-recipe-undocumented': replaying(
    'A vendor recipe is advertised that the discovery document says nothing about.',
    ['discovery.vendor-recipe-documented'],
    { llmCacheKeyRecipe: 'x-host-acme-prompt-hash' },
  ),
};
