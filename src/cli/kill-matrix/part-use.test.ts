import { describe, expect, it } from 'vitest';
import { defaultParts, type HostParts } from '../../../reference-host/index.ts';
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
function reaching(
  mutants: Readonly<Record<string, () => Partial<HostParts>>>,
  act: (parts: HostParts) => void,
): string[] {
  const watched = watchParts(Object.entries(mutants).map(([id, parts]) => ({ id, parts })));
  act(watched.parts);
  return [...watched.reaching];
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

  it('are reached by another result only, in a group too', () => {
    const { llmCache, projectRequest } = defaultParts;
    const mutants = {
      uncalled: () => ({ endsRun: () => false }),
      alike: () => ({ projectRequest: (request: unknown) => ({ ...projectRequest(request) }) }),
      step: () => ({ projectRequest: (request: unknown) => ({ ...projectRequest(request), user: 'u' }) }),
      whole: () => ({ cacheKey: () => 'key' }),
      grouped: () => ({ llmCache: { ...llmCache, namespace: () => 'one for all' } }),
      elsewhere: () => ({ llmCache: { ...llmCache, liveMayShare: () => true } }),
    };
    expect(
      reaching(mutants, (parts) => {
        parts.cacheKey(call, parts);
        parts.llmCache.namespace('acme');
      }),
    ).toEqual(['step', 'whole', 'grouped']);
  });

  it('are reached by one that throws, or that does not throw where the conformant host does', () => {
    const mutants = {
      thrower: () => ({
        cacheKey: () => {
          throw new Error('no key');
        },
      }),
      lenient: () => ({ serialise: () => 'text' }),
    };
    const lone = { ...call, request: { ...call.request, model: '\ud800' } };
    expect(reaching(mutants, (parts) => expect(() => parts.cacheKey(lone, parts)).toThrow('canonical'))).toEqual([
      'thrower',
      'lenient',
    ]);
  });

  it('are reached by members in another order', () => {
    const swapped = { ...draft, payload: { b: 2, a: 1 } };
    const mutants = {
      swapped: () => ({ written: () => [swapped] }),
      copied: () => ({ written: () => [{ ...draft }] }),
    };
    expect(reaching(mutants, (parts) => parts.written(draft, writing))).toEqual(['swapped']);
  });

  it('are reached by state once it shows, each mutant made afresh', () => {
    const mutants = {
      counting: () => {
        let calls = 0;
        return {
          llmCache: { ...defaultParts.llmCache, namespace: (tenant: string) => `${tenant}${calls++ < 2 ? '' : 'x'}` },
        };
      },
    };
    const asking = (...tenants: readonly string[]): string[] =>
      reaching(mutants, (parts) => tenants.forEach((tenant) => parts.llmCache.namespace(tenant)));
    expect(asking('a', 'b')).toEqual([]);
    expect(asking('a', 'b', 'c')).toEqual(['counting']);
  });

  it('are reached by what goes around requests when it is called, and by what is no function at once', () => {
    const mutants = {
      around: () => ({ middleware: defaultParts.middleware.bind(undefined) }),
      value: () => ({ firstSequence: 1 }),
    };
    expect(reaching(mutants, () => undefined)).toEqual(['value']);
    expect(reaching(mutants, (parts) => parts.middleware(() => new Response()))).toEqual(['value', 'around']);
  });
});
