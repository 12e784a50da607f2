import { digestRow } from './digest-row.ts';
import { probe, withContent } from './requests.ts';

const block = (text: string): string => `{"text":${JSON.stringify(text)},"type":"text"}`;

/** replay.md §B.1: content is taken verbatim, string or blocks. */
export const preservesContentShape = digestRow({
  id: 'cache-key.preserves-content-shape',
  title: 'Content is hashed verbatim: strings stay strings, blocks stay blocks, no text is trimmed or joined',
  asks: [
    probe('a string', withContent('"ab"')),
    probe('one block', withContent(`[${block('ab')}]`)),
    probe('two blocks', withContent(`[${block('a')},${block('b')}]`)),
    probe('the two blocks joined by a line feed', withContent(String.raw`"a\nb"`)),
    probe('the two blocks joined by a space', withContent('"a b"')),
    probe('blocks of two types', withContent(`[${block('a')},{"type":"image","url":"u"},${block('b')}]`)),
    probe('no blocks', withContent('[]')),
    probe('an empty string', withContent('""')),
    probe('space before', withContent('"  ab"')),
    probe('space after', withContent('"ab "')),
    probe('line feeds around', withContent(String.raw`"\nab\r\n"`)),
    probe('space in a block', withContent(`[${block(' ab ')}]`)),
    probe('a block with more members', withContent('[{"cache":{"a":1},"text":"ab","type":"text"}]')),
  ],
});
