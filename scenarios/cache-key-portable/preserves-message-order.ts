import { digestRow } from './digest-row.ts';
import { probe, requestText } from './requests.ts';

function messages(...list: readonly (readonly [string, string])[]): string {
  return requestText({ messages: JSON.stringify(list.map(([role, content]) => ({ content, role }))) });
}

/** replay.md §B.1: the order of messages carries meaning. */
export const preservesMessageOrder = digestRow({
  id: 'cache-key.preserves-message-order',
  title: 'Messages are hashed in the order of the request',
  asks: [
    probe('b, then a', messages(['user', 'b'], ['user', 'a'])),
    probe('a, then b', messages(['user', 'a'], ['user', 'b'])),
    probe('a system message last', messages(['user', 'a'], ['system', 's'])),
    probe('a system message first', messages(['system', 's'], ['user', 'a'])),
    probe('an assistant before its user', messages(['assistant', 'x'], ['user', 'y'], ['system', 'z'])),
    probe('four messages', messages(['user', 'c'], ['assistant', 'b'], ['user', 'a'], ['assistant', 'd'])),
  ],
});
