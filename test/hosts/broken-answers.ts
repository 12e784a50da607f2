import { json, serveHttp, type FakeHost } from './fake-host.ts';

/** Wants a credential for everything and accepts none. */
export function always401(): Promise<FakeHost> {
  return serveHttp((_, response) => json(response, 401, { error: 'unauthenticated', message: 'Who are you?' }));
}

/** Says yes to everything and means nothing. */
export function alwaysEmptyObject(): Promise<FakeHost> {
  return serveHttp((_, response) => json(response, 200, {}));
}

/** Fails at everything. */
export function always500(): Promise<FakeHost> {
  return serveHttp((_, response) => json(response, 500, { error: 'internal_error', message: 'Sorry.' }));
}

/** A web site where a host should be. */
export function webPage(): Promise<FakeHost> {
  return serveHttp((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>'),
  );
}

/** Sends every request on to another origin. */
export function redirecting(elsewhere: string): Promise<FakeHost> {
  return serveHttp(({ url = '/' }, response) => {
    response.writeHead(307, { location: `${elsewhere}${url}` }).end();
  });
}
