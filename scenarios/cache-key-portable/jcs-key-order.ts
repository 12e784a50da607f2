import { digestRow } from './digest-row.ts';
import { either, probe, requestText, withSchema } from './requests.ts';

/** replay.md §B.2, RFC 8785 §3.2.3: names by UTF-16 code unit, at every level. */
export const jcsKeyOrder = digestRow({
  id: 'cache-key.jcs-key-order',
  title: 'Names of objects are hashed in ascending order of their UTF-16 code units, whatever they are called',
  asks: [
    probe('turned round', '{"messages":[{"role":"user","content":"x"}],"model":"m","provider":"openai"}'),
    probe('inside a message', requestText({ messages: '[{"role":"user","name":"ann","content":"x"}]' })),
    probe('inside a schema', withSchema('{"type":"object","properties":{"b":{"z":1,"y":2},"a":{}}}')),
    probe('cases', withSchema('{"b":1,"B":2,"a":3,"A":4,"_":5}')),
    probe('U+FB33 and U+1F600', withSchema('{"\ufb33":1,"\u{1f600}":2,"\ue000":3}')),
    probe(
      'control, Latin and Greek characters',
      withSchema(String.raw`{"\u00f6":1,"\u20ac":2,"\r":3,"1":4,"\u0080":5}`),
    ),
    probe('integer-like names', withSchema('{"10":1,"9":2,"a":3,"01":4,"-1":5,"4294967295":6}')),
    probe('an empty name', withSchema('{"a":1,"":2}')),
    probe('a prefix', withSchema('{"ab":1,"a":2}')),
    probe('__proto__', withSchema('{"z":1,"__proto__":{"b":1,"a":2},"constructor":3}')),
    probe('__proto__ of a scalar', withSchema('{"__proto__":1,"prototype":2}')),
    probe(
      'white space between tokens',
      '{ "model" : "m2" ,\n\t"provider" : "openai" ,\r\n "messages" : [ { "content" : "x" , "role" : "user" } ] }',
    ),
    either('a name given twice, the last time as before', '{"model":"other",' + requestText().slice(1), 'plain'),
  ],
});
