import { describe, expect, it } from 'vitest';
import { defaultParts, type HostParts } from '../../reference-host/index.ts';
import { member } from '../contract/discovery.ts';
import { replacedParts, watchParts } from './part-use.ts';

const call = {
  request: { provider: 'p', model: 'm', messages: [], user: 'u' },
  rawText: '',
  headers: new Headers(),
  tenant: 't',
};
const draft = { type: 'run.started', payload: { a: 1, b: 2 } } as const;
const writing = { run: { runId: 'r', tenant: 't', workflowId: 'w' }, source: () => [] };

/** Which of some mutants make a difference where the host does this. */
async function reaching(
  mutants: Readonly<Record<string, () => Partial<HostParts>>>,
  act: (parts: HostParts) => unknown,
): Promise<string[]> {
  const watched = watchParts(Object.entries(mutants).map(([id, parts]) => ({ id, parts })));
  await act(watched.parts);
  return [...(await watched.reaching())];
}

/** A mutant that replaces what goes around the whole host. */
function around(middleware: HostParts['middleware']): () => Partial<HostParts> {
  return () => ({ middleware });
}

async function ping(parts: HostParts): Promise<void> {
  const host = parts.middleware((request) =>
    parts.forkEndpoint(request, async (asked) => new Response(`pong ${await asked.text()}`)),
  );
  const answer = await host(new Request('http://host/', { method: 'POST', body: 'ping' }));
  expect(await answer.text()).toBe('pong ping');
}

async function read(parts: HostParts): Promise<void> {
  const host = parts.middleware((request) => new Response(request.url));
  expect(await (await host(new Request('http://host/one'))).text()).toBe('http://host/one');
}

describe('replaced parts', () => {
  it('are compared one by one, inside a group too', () => {
    const llmCache = { ...defaultParts.llmCache, onReplay: () => 'ask' as const };
    expect(replacedParts({})).toEqual([]);
    expect(replacedParts({ llmCache, firstSequence: 1 })).toEqual(['llmCache.onReplay', 'firstSequence']);
  });
});

describe('watched parts', () => {
  it('give what the conformant ones give, errors too', () => {
    const { parts } = watchParts([{ id: 'other', parts: () => ({ digest: () => 'other' }) }]);
    expect(parts.cacheKey(call, parts)).toBe(defaultParts.cacheKey(call, defaultParts));
    expect(parts.written(draft, writing)).toEqual([draft]);
    const lone = { ...call, request: { ...call.request, model: '\ud800' } };
    expect(() => parts.cacheKey(lone, parts)).toThrow('canonical JSON form');
  });

  it('are reached by another result only, in a group too', async () => {
    const { llmCache, projectRequest } = defaultParts;
    const mutants = {
      uncalled: () => ({ endsRun: () => false }),
      alike: () => ({ projectRequest: (request: unknown) => ({ ...projectRequest(request) }) }),
      step: () => ({
        projectRequest: (request: unknown) => ({ ...projectRequest(request), user: member(request, 'user') }),
      }),
      grouped: () => ({ llmCache: { ...llmCache, namespace: () => 'one for all' } }),
      elsewhere: () => ({ llmCache: { ...llmCache, liveMayShare: () => true } }),
    };
    expect(
      await reaching(mutants, (parts) => {
        parts.cacheKey(call, parts);
        parts.cacheKey({ ...call, request: { ...call.request, user: 'v' } }, parts);
        for (const tenant of ['acme', 'other']) parts.llmCache.namespace(tenant);
      }),
    ).toEqual(['step', 'grouped']);
  });

  it('are not reached by names that stand one for one in the place of others, but say of which parts they are', async () => {
    const { ledger, llmCache } = defaultParts;
    const watched = watchParts(
      Object.entries({
        renaming: () => ({ llmCache: { ...llmCache, namespace: (tenant: string) => `~${tenant}` } }),
        sharing: () => ({ llmCache: { ...llmCache, namespace: () => 'all' } }),
        both: () => ({ cacheKey: () => 'key', endsRun: () => false }),
        same: () => ({ ledger: { ...ledger, externalKey: ledger.externalKey } }),
      }).map(([id, parts]) => ({ id, parts })),
    );
    watched.parts.cacheKey(call, watched.parts);
    for (const tenant of ['a', 'b', 'a']) watched.parts.llmCache.namespace(tenant);
    watched.parts.endsRun({ code: 'c', message: 'm' });
    expect([...(await watched.reaching())]).toEqual(['sharing', 'both']);
    expect(watched.renames.get('renaming')).toEqual(new Set(['llmCache.namespace']));
    expect(watched.renames.has('same')).toBe(false);
  });

  it('are reached by one that throws, or that does not throw where the conformant host does', async () => {
    const mutants = {
      thrower: () => ({
        cacheKey: () => {
          throw new Error('no key');
        },
      }),
      lenient: () => ({ serialise: () => 'text' }),
    };
    const lone = { ...call, request: { ...call.request, model: '\ud800' } };
    expect(await reaching(mutants, (parts) => expect(() => parts.cacheKey(lone, parts)).toThrow('canonical'))).toEqual([
      'thrower',
      'lenient',
    ]);
  });

  it('are reached by members in another order', async () => {
    const swapped = { ...draft, payload: { b: 2, a: 1 } };
    const mutants = {
      swapped: () => ({ written: () => [swapped] }),
      copied: () => ({ written: () => [{ ...draft }] }),
    };
    expect(await reaching(mutants, (parts) => parts.written(draft, writing))).toEqual(['swapped']);
  });

  it('are reached by state once it shows, each mutant made afresh', async () => {
    const mutants = {
      counting: () => {
        let calls = 0;
        return {
          llmCache: { ...defaultParts.llmCache, namespace: (tenant: string) => `${tenant}${calls++ < 2 ? '' : 'x'}` },
        };
      },
    };
    const asking = (...tenants: readonly string[]): Promise<string[]> =>
      reaching(mutants, (parts) => tenants.forEach((tenant) => parts.llmCache.namespace(tenant)));
    expect(await asking('a', 'b')).toEqual([]);
    expect(await asking('a', 'b', 'a')).toEqual(['counting']);
  });

  it('are reached by what is no function at once', async () => {
    expect(await reaching({ value: () => ({ firstSequence: 1 }) }, () => undefined)).toEqual(['value']);
  });

  it('are not reached around requests by what only reads beside them, or reads anew', async () => {
    const mutants = {
      reading: around((next) => async (request) => {
        await next(new Request('http://host/beside'));
        return next(request);
      }),
      anew: around((next) => (request) => next(new Request(request.url, { headers: request.headers }))),
      unlike: around((next) => async (request) => {
        const beside = await next(new Request('http://host/beside'));
        return request.url.endsWith('/beside') ? next(request) : beside;
      }),
    };
    expect(await reaching(mutants, read)).toEqual(['unlike']);
  });

  it('are reached around requests by another answer, another request and a second one', async () => {
    const mutants = {
      through: around((next) => (request) => next(request)),
      copying: () => ({
        forkEndpoint: async (request: Request, next: Parameters<HostParts['forkEndpoint']>[1]) =>
          next(new Request(request.url, { method: 'POST', headers: request.headers, body: await request.text() })),
      }),
      reading: around((next) => async (request) => {
        const response = await next(request);
        return new Response(await response.text(), response);
      }),
      itself: around(() => () => new Response('pong')),
      status: around((next) => async (request) => new Response((await next(request)).body, { status: 201 })),
      body: around((next) => async (request) => next(new Request(request.url, { method: 'POST', body: 'other' }))),
      twice: around((next) => async (request) => (await next(request.clone())) && next(request)),
      elsewhere: around((next) => (request) => (request.method === 'PUT' ? new Response('') : next(request))),
      never: around(() => () => new Promise<Response>(() => undefined)),
    };
    expect((await reaching(mutants, ping)).toSorted()).toEqual(['body', 'itself', 'never', 'status', 'twice']);
  });

  it('are not reached by another document alone, but say which', async () => {
    const conformant = { limits: 1 };
    const watched = watchParts(
      Object.entries({
        same: () => ({ discovery: (document: object) => document }),
        without: () => ({ discovery: () => ({}) }),
        raising: () => ({ discovery: () => ({}), endsRun: () => 'no' as never }),
        broken: () => ({
          discovery: () => {
            throw new Error('no document');
          },
        }),
        moved: around((next) => (request) => (request.url.endsWith('openwop') ? new Response('gone') : next(request))),
        changed: around((next) => async (request) => {
          const response = await next(request);
          return request.url.endsWith('openwop') ? new Response('{}') : response;
        }),
      }).map(([id, parts]) => ({ id, parts })),
    );
    const document = watched.parts.discovery(conformant);
    expect(document).toBe(conformant);
    watched.parts.endsRun({ code: 'c', message: 'm' });
    const host = watched.parts.middleware(() => Response.json(document));
    await host(new Request('http://host/.well-known/openwop'));
    expect([...(await watched.reaching())].toSorted()).toEqual(['broken', 'changed', 'raising']);
    expect([...watched.documents]).toEqual([
      ['without', {}],
      ['raising', {}],
      ['moved', undefined],
    ]);
  });
});
