import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { bareScenario } from '../../test/bare-scenario.ts';
import type { Witness } from '../evidence/witness.ts';
import type { Need, Scenario } from '../runner/scenario.ts';
import { listenAddress } from './arguments.ts';
import { UsageError } from '../contract/usage-error.ts';
import { withWitness } from './witness.ts';

function scenario(...needs: readonly Need[]): Scenario {
  return bareScenario({ needs });
}

const needy = [scenario({ kind: 'second-host' }), scenario({ kind: 'second-tenant' }, { kind: 'witness' })];

async function statusOf(url: string): Promise<number | string> {
  return fetch(url).then(
    ({ status }) => status,
    () => 'no answer',
  );
}

const callIt = async (witness: Witness | undefined) => {
  if (witness === undefined) throw new Error('no witness');
  const url = `${witness.visit().url}/effects/e`;
  return { url, status: await statusOf(url) };
};

describe('withWitness', () => {
  it('lends none where no scenario needs one', async () => {
    expect(await withWitness({}, [scenario({ kind: 'second-host' })], async (witness) => witness)).toBeUndefined();
  });

  it.each([[needy], [[scenario({ kind: 'spans' })]], [[{ ...scenario(), witnessHelps: true as const }]]])(
    'lends one that listens until the end',
    async (scenarios) => {
      const { url, status } = await withWitness({}, scenarios, callIt);
      expect(status).toBe(200);
      expect(await statusOf(url)).toBe('no answer');
    },
  );

  it('closes it after a failure too', async () => {
    let url = '';
    const failing = withWitness({}, needy, async (witness) => {
      url = witness?.baseUrl ?? '';
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await statusOf(url)).toBe('no answer');
  });

  it('names the given address', async () => {
    const flags = { witnessUrl: 'https://tunnel.example' };
    expect(await withWitness(flags, needy, async (witness) => witness?.baseUrl)).toBe('https://tunnel.example');
  });

  it('refuses a port in use as wrong usage', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const tried = withWitness({ witnessListen: { hostname: '127.0.0.1', port } }, needy, callIt);
    await expect(tried).rejects.toThrow(UsageError);
    await expect(tried).rejects.toThrow(/--witness-listen: .*EADDRINUSE/u);
    server.close();
  });
});

describe('listenAddress', () => {
  it.each([
    ['127.0.0.1:0', '127.0.0.1', 0],
    ['localhost:8080', 'localhost', 8080],
    ['[::1]:65535', '::1', 65_535],
    ['[::ffff:127.0.0.1]:1', '::ffff:127.0.0.1', 1],
    ['my-host.example:443', 'my-host.example', 443],
  ])('reads %s', (value, hostname, port) => {
    expect(listenAddress(value)).toEqual({ hostname, port });
  });

  it.each(['localhost', ':80', '::1:80', 'a:b', 'a:65536', 'a:1/x', 'http://a:1', '[]:1'])('refuses %j', (value) => {
    expect(() => listenAddress(value)).toThrow(UsageError);
  });
});
