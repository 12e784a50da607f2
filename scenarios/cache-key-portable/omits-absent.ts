import { digestRow } from './digest-row.ts';
import { either, probe, requestText } from './requests.ts';

/** replay.md §B.1: absent optionals are left out; explicit nulls and `tools: []` are either. */
export const omitsAbsent = digestRow({
  id: 'cache-key.omits-absent',
  title: 'Optional fields that a request leaves out stay out of the hashed object, without null or default',
  asks: [
    probe('only temperature', requestText({ temperature: '0' })),
    probe('temperature of one', requestText({ temperature: '1' })),
    probe('only topP', requestText({ topP: '1' })),
    probe('only topK', requestText({ topK: '1' })),
    probe('only a tool', requestText({ tools: '[{"name":"lookup","parameters":{}}]' })),
    probe('only a response format', requestText({ responseFormat: '{"type":"text"}' })),
    probe('a tool with a description', requestText({ tools: '[{"description":"","name":"lookup","parameters":{}}]' })),
    probe('a message with a name', requestText({ messages: '[{"content":"hello","name":"ann","role":"user"}]' })),
    either('temperature: null', requestText({ temperature: 'null' }), 'plain'),
    either('topP: null', requestText({ topP: 'null' }), 'plain'),
    either('responseFormat: null', requestText({ responseFormat: 'null' }), 'plain'),
    either('tools: null', requestText({ tools: 'null' }), 'plain'),
    either('tools: []', requestText({ tools: '[]' }), 'plain'),
  ],
});
