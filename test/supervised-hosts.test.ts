import { describe, expect, it } from 'vitest';
import { openSupervisedHosts } from '../src/cli/supervised-hosts.ts';
import { plainHandle } from './plain-handle.ts';

describe('bundled hosts as processes', () => {
  it('answer with their seams, each with its own data, and are gone when they are closed', async () => {
    const { hosts, close } = await openSupervisedHosts(new AbortController().signal);
    expect(new Set(hosts.map(({ baseUrl }) => baseUrl)).size).toBe(2);
    const handles = hosts.map(({ baseUrl }) => plainHandle(baseUrl));
    for (const [index, host] of hosts.entries()) {
      expect(await host.isUp((handles[index] ?? plainHandle(host.baseUrl)).handle)).toBe(true);
      const answer = await fetch(`${host.baseUrl}/v1/host/sample/test/reset`, {
        method: 'POST',
        headers: { authorization: `Bearer ${host.apiKey}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(answer.status).not.toBe(404);
    }
    await close();
    await Promise.all(handles.map((each) => each.close()));
    for (const { baseUrl } of hosts) await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
  });

  it('are not waited for where the run was interrupted', async () => {
    const { hosts, close } = await openSupervisedHosts(AbortSignal.abort());
    expect(hosts).toEqual([]);
    await close();
  });
});
