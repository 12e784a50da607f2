import { describe, expect, it } from 'vitest';
import { createReferenceHost } from '../host.ts';
import { member, stringMember } from '../json.ts';
import { CREDENTIALS, sseEvents, testClient } from '../../test/reference-client.ts';

const client = testClient();
const finished = await client.run('conformance-determinism-three-nodes');
const url = `/v1/runs/${finished.runId}/events`;
const json = { accept: 'application/json' };

const sequences = (events: unknown): unknown =>
  Array.isArray(events) ? events.map((event) => member(event, 'sequence')) : events;

describe('reading events', () => {
  it('shows the same log as a stream, as JSON and by polling', async () => {
    const asJson = await client.get(url, { headers: json });
    const polled = await client.get(`${url}/poll`);
    expect(asJson.body).toEqual({ events: finished.events });
    expect(polled.body).toEqual({ events: finished.events, isComplete: true });
  });

  it('frames an event with its number and type', async () => {
    const stream = await client.get(url);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.text.startsWith('id: 0\nevent: run.started\ndata: {')).toBe(true);
  });

  it.each([
    ['stream', {}],
    ['JSON', json],
  ])('resumes a %s after Last-Event-ID', async (_, headers) => {
    const reply = await client.get(url, { headers: { ...headers, 'last-event-id': '7' } });
    const events = 'accept' in headers ? reply.body['events'] : sseEvents(reply.text);
    expect(sequences(events)).toEqual([8, 9]);
  });

  it('ends a stream that is resumed after the last event', async () => {
    expect((await client.get(url, { headers: { 'last-event-id': '9' } })).text).toBe('');
  });

  it('polls after lastSequence, exclusively', async () => {
    expect(sequences((await client.get(`${url}/poll?lastSequence=7`)).body['events'])).toEqual([8, 9]);
    expect(sequences((await client.get(`${url}/poll?lastSequence=9&timeout=30`)).body['events'])).toEqual([]);
  });

  it.each(['?lastSequence=x', '?lastSequence=1.5', '?timeout=-1', '?timeout=x'])('refuses poll%s', async (query) => {
    expect((await client.get(`${url}/poll${query}`)).status).toBe(400);
  });

  it('refuses a Last-Event-ID that is no sequence number', async () => {
    expect((await client.get(url, { headers: { 'last-event-id': 'x' } })).status).toBe(400);
  });

  it.each([
    ['values', ['run.started', 'variable.changed', 'variable.changed', 'run.completed']],
    ['messages', ['run.started', 'node.completed', 'node.completed', 'node.completed', 'run.completed']],
    ['messages,debug', finished.types],
    ['updates', finished.types],
  ])('shows in streamMode %s what belongs to it', async (mode, types) => {
    const stream = await client.get(`${url}?streamMode=${mode}`);
    expect(sseEvents(stream.text).map((event) => event['type'])).toEqual(types);
  });

  it.each(['other', '', 'values,', 'values,debug', 'constructor'])('refuses streamMode %j', async (mode) => {
    const reply = await client.get(`${url}?streamMode=${mode}`);
    expect([reply.status, reply.body['error']]).toEqual([400, 'unsupported_stream_mode']);
  });

  it('follows a run from its start to its end', async () => {
    const created = await client.post('/v1/runs', { workflowId: 'conformance-noop' });
    const stream = await client.get(String(created.body['eventsUrl']));
    expect(
      sseEvents(stream.text)
        .map((event) => event['type'])
        .at(-1),
    ).toBe('run.completed');
  });

  it('wakes a poll with the next event', async () => {
    const created = await client.post('/v1/runs', { workflowId: 'conformance-noop' });
    const polled = await client.get(`${String(created.body['eventsUrl'])}/poll?lastSequence=0&timeout=30`);
    expect(sequences(polled.body['events'])).toContain(1);
  });

  it('ends open streams when the host closes', async () => {
    const host = createReferenceHost({ credentials: CREDENTIALS, enableTestSeams: false });
    const headers = { authorization: 'Bearer key-a' };
    const body = JSON.stringify({ workflowId: 'conformance-determinism-three-nodes' });
    const created = await host.fetch(new Request('http://host.test/v1/runs', { method: 'POST', headers, body }));
    const path = stringMember(await created.json(), 'eventsUrl') ?? '';
    const stream = await host.fetch(new Request(`http://host.test${path}`, { headers }));
    await host.close();
    expect(sseEvents(await stream.text()).map((event) => event['type'])).toEqual(['run.started']);
  });
});
