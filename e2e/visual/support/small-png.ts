import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLORS = 256;
/** The number of palette entries reserved for the colors of areas. */
const EXACT_COLORS = 96;

/**
 * Converts an opaque picture to a palette, which makes it much smaller. Areas keep their exact colors. Other colors
 * only occur at edges; if there are too many, similar ones are merged.
 */
export function smallPng(file: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(file);
  const colors = Array.from({ length: width * height }, (_, pixel) => data.readUInt32BE(pixel * 4) >>> 8);
  const exact = mostFrequent(colors);
  for (let step = 1; ; step++) {
    const palette = new Map<number, number>();
    const rows = Buffer.alloc((width + 1) * height);
    for (const [pixel, color] of colors.entries()) {
      const kept = exact.has(color) ? color : rounded(color, step);
      const index = palette.get(kept) ?? palette.size;
      if (index === MOST_COLORS) break;
      palette.set(kept, index);
      rows[pixel + Math.floor(pixel / width) + 1] = index;
      if (pixel === colors.length - 1) return encoded(width, height, [...palette.keys()], rows);
    }
  }
}

function mostFrequent(colors: readonly number[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  return new Set(ranked.slice(0, EXACT_COLORS).map(([color]) => color));
}

function rounded(color: number, step: number): number {
  const channel = (shift: number) => Math.min(255, Math.round(((color >> shift) & 255) / step) * step) << shift;
  return channel(16) | channel(8) | channel(0);
}

function encoded(width: number, height: number, palette: readonly number[], rows: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const pixels = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    ...[chunk('IHDR', header), chunk('PLTE', colors), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))],
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
