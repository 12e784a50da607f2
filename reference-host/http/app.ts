import { Hono, type Context } from 'hono';
import { credentialFinder, type KnownCredential } from '../credentials.ts';
import { refusal, respond } from '../types/answers.ts';
import type { Route } from './route.ts';

/** The routes as one function from Request to Response. Whatever comes in, an answer goes out, always in the envelope. */
export function createApp(routes: readonly Route[], credentials: readonly KnownCredential[]): Hono {
  const app = new Hono();
  const find = credentialFinder(credentials);
  for (const route of routes) {
    app.on(route.method, honoPath(route.path), (context) => {
      const authorised = authorise(context.req.raw, route.access, find);
      if (!authorised.ok) return authorised.response;
      const { tenant } = authorised;
      const query = new URL(context.req.url).searchParams;
      return route.handle({ request: context.req.raw, params: variables(context, route.path), query, tenant });
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = routes.filter((route) => route.path === path).map((route) => route.method);
    app.all(honoPath(path), () => methodNotAllowed(allow));
  }
  app.notFound(() => respond(refusal(404, 'not_found', 'There is nothing at this path.')));
  app.onError(() => respond(refusal(500, 'internal_error', 'The host could not answer this request.')));
  return app;
}

/**
 * The router's form of an OpenAPI path. A variable ends at a colon, so that `/v1/runs/x:fork` is never read as a run
 * called `x:fork`; the verb is matched together with its variable, because the router splits at slashes only.
 */
export function honoPath(path: string): string {
  return path.replaceAll(VARIABLE, (_, name: string, verb: string | undefined) =>
    verb === undefined ? `:${name}{[^/:]+}` : `:${name}{[^/:]+(?::|%3[Aa])${verb}}`,
  );
}

const VARIABLE = /\{(\w+)\}(?::(\w+))?/g;

function variables(context: Context, path: string): Record<string, string> {
  const found = [...path.matchAll(VARIABLE)].map(([, name = '', verb]): [string, string] => {
    const value = context.req.param(name) ?? '';
    return [name, verb === undefined ? value : value.replace(/(?::|%3A)\w+$/i, '')];
  });
  return Object.fromEntries(found);
}

function methodNotAllowed(methods: readonly string[]): Response {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  const answer = refusal(405, 'method_not_allowed', `This path takes ${allow}.`);
  return respond({ ...answer, headers: { allow } });
}

type Authorisation =
  | { readonly ok: true; readonly tenant: string }
  | { readonly ok: false; readonly response: Response };

/** Who the caller is and whether they may: 401 without a known key, 403 where the key lacks a scope. */
function authorise(
  request: Request,
  access: Route['access'],
  find: (key: string) => KnownCredential | undefined,
): Authorisation {
  if (access === 'public') return { ok: true, tenant: '' };
  const credential = find(bearer(request.headers.get('authorization')));
  if (credential === undefined) return { ok: false, response: unauthorised() };
  const missing = access.find((scope) => !credential.scopes.includes(scope));
  if (missing !== undefined) {
    const answer = refusal(403, 'forbidden', 'The credential lacks a scope.', { requiredScope: missing });
    return { ok: false, response: respond(answer) };
  }
  return { ok: true, tenant: credential.tenant };
}

/** The key of an Authorization header; an empty text, which no credential has, for any other header. */
function bearer(header: string | null): string {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
}

function unauthorised(): Response {
  const answer = refusal(401, 'unauthenticated', 'A valid bearer credential is needed.');
  return respond({ ...answer, headers: { 'www-authenticate': 'Bearer' } });
}
