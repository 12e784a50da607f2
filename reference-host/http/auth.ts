import type { KnownCredential } from '../credentials.ts';
import { refusal, respond } from '../types/answers.ts';
import type { Route } from './route.ts';

export type Authorisation =
  | { readonly ok: true; readonly tenant: string }
  | { readonly ok: false; readonly response: Response };

/** Who the caller is and whether they may: 401 without a known key, 403 where the key lacks a scope. */
export function authorise(
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
