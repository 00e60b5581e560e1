import type { Browser, DeviceType, OperatingSystem } from '../core/records.ts';

/** The part of `navigator` used to detect the device. Only Chromium has `userAgentData`. */
export interface NavigatorLike {
  readonly userAgent: string;
  readonly maxTouchPoints?: number;
  readonly userAgentData?: {
    readonly brands?: readonly { readonly brand: string }[];
    readonly mobile?: boolean;
    readonly platform?: string;
  };
}

/** The three session fields that describe the device. */
export interface Device {
  readonly device_type: DeviceType;
  readonly browser: Browser;
  readonly os: OperatingSystem;
}

export function detectDevice({ userAgent, maxTouchPoints = 0, userAgentData: hints }: NavigatorLike): Device {
  const isMobile = hints?.mobile ?? /Mobi/.test(userAgent);
  // iPads request desktop pages with a Mac's user agent, but no Mac has a touch screen. The parenthesis excludes the
  // inoiPad, an Android tablet.
  const isIpad = /\(iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1 && !hints);
  const os = isIpad ? 'iOS' : detectSystem(hints?.platform || userAgent);
  return {
    device_type: isIpad || (os === 'Android' && !isMobile) ? 'tablet' : isMobile ? 'mobile' : 'desktop',
    browser: detectBrowser(userAgent + JSON.stringify(hints?.brands)),
    os,
  };
}

/**
 * Returns the browser. Order matters, because most browsers claim to be several others: Edge and Opera also say Chrome,
 * Chrome also says Safari. Products have a version and brands are quoted, to exclude phones named Edge. Samsung
 * Internet, Brave and Android's WebView say Chrome and count as Chrome. Apple's WebKit without another name is Safari.
 */
function detectBrowser(names: string): Browser {
  if (/Edg\w*[/"]/.test(names)) return 'Edge';
  if (/OP([RTX]|iOS)\/|Opera/.test(names)) return 'Opera';
  if (/Firefox|FxiOS/.test(names)) return 'Firefox';
  if (/Chrom|CriOS/.test(names)) return 'Chrome';
  return /Mac.*WebKit/.test(names) ? 'Safari' : 'Unknown';
}

/**
 * Returns the operating system. Windows phones also say Android, some Android phones and all iPhones say iPhone,
 * iPhones also say Mac OS X, and Android also says Linux. ChromeOS counts as Linux.
 */
function detectSystem(names: string): OperatingSystem {
  if (/Windows/.test(names)) return 'Windows';
  if (/Android/.test(names)) return 'Android';
  if (/iP[ho]|iOS/.test(names)) return 'iOS';
  if (/Mac|macOS/.test(names)) return 'macOS';
  return /Linux|CrOS|Chrom\w+ OS/.test(names) ? 'Linux' : 'Unknown';
}
