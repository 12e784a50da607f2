/** Where a text may hold a number beyond a double: outside its strings it needs that many digits, or an exponent of three. */
const MAY_BE_BEYOND = /(?:^|[\s,:[])-?(?:\d[\d.]*[eE]\+?\d{3}|\d{309})/u;
const NUMBER = /-?\d[\d.eE+-]*/uy;

/**
 * Parses a JSON text. A number beyond a double, all of which JSON.parse makes the same Infinity and evidence would keep as null, is a text
 * that names it, one for each value. Throws as JSON.parse does.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return MAY_BE_BEYOND.test(text) ? JSON.parse(withNames(text)) : value;
}

function withNames(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) inString = !inString;
    else if (inString) at += unit === 0x5c ? 1 : 0;
    else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      NUMBER.lastIndex = at;
      const [number = ''] = NUMBER.exec(text) ?? [];
      const end = at + number.length;
      if (!Number.isFinite(Number(number))) {
        parts.push(text.slice(kept, at), JSON.stringify(`${plain(number)} (a number beyond a double)`));
        kept = end;
      }
      at = end - 1;
    }
  }
  return parts.join('') + text.slice(kept);
}

/** A number in one spelling: its digits without zeros around them, and their exponent. */
function plain(number: string): string {
  const sign = number.startsWith('-') ? '-' : '';
  const [mantissa = '', exponent = '0'] = number.slice(sign.length).toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
