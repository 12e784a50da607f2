import { describe, expect, it } from 'vitest';
import { answered, unanswered } from '../../../test/answers.ts';
import { eventIdsIn } from './event-ids.ts';

const answer = (text: string, type = 'application/json') => answered(200, text, { 'content-type': type });

describe('eventIdsIn', () => {
  it('reads the ids of a list, and of a stream', () => {
    expect(eventIdsIn(answer('{"events":[{"eventId":"a"},{"eventId":1},null,{"eventId":"b"}]}'))).toEqual(['a', 'b']);
    const stream = 'data: {"eventId":"a"}\n\ndata: x\n\ndata: {"eventId":"b"}\n\n';
    expect(eventIdsIn(answer(stream, 'text/event-stream'))).toEqual(['a', 'b']);
  });

  it('finds none where there are none', () => {
    expect(eventIdsIn(answer('<html>'))).toEqual([]);
    expect(eventIdsIn(unanswered('timeout'))).toEqual([]);
  });

  it('keeps no more than some, and no long ones', () => {
    const events = Array.from({ length: 500 }, (_, at) => ({ eventId: at === 0 ? 'x'.repeat(999) : `e${at}` }));
    expect(eventIdsIn(answer(JSON.stringify(events)))).toHaveLength(199);
  });
});
