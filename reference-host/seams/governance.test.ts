import { describe, expect, it } from 'vitest';
import { testClient } from '../../test/reference-client.ts';

const client = testClient();

describe('the seams of retention, deletion and audit', () => {
  it.each(['retention/expire', 'data/delete', 'audit'])('%s refuses a body without a run', async (seam) => {
    const path = `/v1/host/sample/test/${seam}`;
    expect((await client.post(path, {})).status).toBe(400);
    expect((await client.post(path, { runId: 7 })).status).toBe(400);
    expect((await client.post(path, { runId: 'run_0' })).status).toBe(404);
  });
});
