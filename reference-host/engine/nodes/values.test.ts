import { describe, expect, it } from 'vitest';
import { testClient } from '../../../test/reference-client.ts';
import { fold } from '../../store/fold.ts';
import type { World } from '../../types/world.ts';
import { fail } from './values.ts';

async function failing(config: { readonly [name: string]: unknown }, variables: readonly [string, unknown][] = []) {
  const node = { id: 'fail', typeId: 'core.fail', name: 'Fail', config, inputs: {} };
  const drafts = fail(node, {} as World, { ...fold([]), variables: new Map(variables) }, 1);
  return (await drafts.next()).value;
}

describe('core.fail', () => {
  it('fails with what its definition says, or without it', async () => {
    const error = { code: 'broken', message: 'On purpose.' };
    expect(await failing({ code: 'broken', message: 'On purpose.' })).toEqual({ kind: 'failed', error });
    expect(await failing({})).toMatchObject({ kind: 'failed', error: { code: 'failed' } });
  });

  it('repeats a variable in JSON', async () => {
    const config = { message: 'It was', messageVariable: 'v' };
    expect(await failing(config, [['v', { a: '"' }]])).toMatchObject({ error: { message: 'It was {"a":"\\""}' } });
    expect(await failing(config)).toMatchObject({ error: { message: 'It was null' } });
  });

  it('ends its run', async () => {
    const workflowId = 'conformance-determinism-secret-error';
    const { snapshot } = await testClient().run('', { body: { workflowId, inputs: {} } });
    expect(snapshot['status']).toBe('failed');
  });
});
