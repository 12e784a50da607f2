import { describe, expect, it } from 'vitest';
import { readMarkup } from './markup.ts';

function attributesOf(html: string): readonly (readonly [string, readonly (readonly [string, string])[]])[] {
  return readMarkup(html).tags.map(({ name, isEnd, attributes }) => [isEnd ? `/${name}` : name, [...attributes]]);
}

describe('readMarkup', () => {
  it('reads tags, attributes in every notation, and text with its entities', () => {
    expect(attributesOf(`<A HREF="/a?b=1&amp;c=2" data-x='"' checked title=plain>x</a><br/>`)).toEqual([
      [
        'a',
        [
          ['href', '/a?b=1&c=2'],
          ['data-x', '"'],
          ['checked', ''],
          ['title', 'plain'],
        ],
      ],
      ['/a', []],
      ['br', []],
    ]);
    expect(readMarkup('a &lt;b&gt; &#39;&#x22;&quot;&colon; &unknown; &#9999999;').text).toBe(
      `a <b> '"": &unknown; &#9999999;`,
    );
    expect(readMarkup('{<b>"fromSeq"</b>: <i>4</i>}').text).toBe('{"fromSeq": 4}');
  });

  it('leaves out comments, scripts, styles and templates', () => {
    const { text, tags, hasScript } = readMarkup(
      '<!doctype html>a<!-- <b> -->c<script>if (1 < 2) "<i>"</SCRIPT >d<style>e</style>f',
    );
    expect([text, hasScript]).toEqual(['acdf', true]);
    expect(tags.map(({ name }) => name)).not.toContain('i');
    expect(readMarkup('<p>none</p>').hasScript).toBe(false);
  });

  it('reads whatever comes, in time that grows with its length', () => {
    for (const html of ['<', '<a', '<a b="', '</', '<!--', '<script>', 'a < b', '<a b=\'"><c', '<<<>>>']) {
      expect(() => readMarkup(html)).not.toThrow();
    }
    for (const piece of ['<', '<a b="', '<a ', '<!--', '<script>', '="', '&#', "<a b='", '<a/////']) {
      expect(() => readMarkup(piece.repeat(300_000))).not.toThrow();
    }
  });
});
