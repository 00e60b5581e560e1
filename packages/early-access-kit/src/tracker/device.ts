import type { Browser, DeviceType, OperatingSystem } from '../core/records.ts';

/** The part of `navigator` that tells devices apart. Only Chromium has `userAgentData`. */
export interface NavigatorLike {
  readonly userAgent: string;
  readonly maxTouchPoints?: number;
  readonly userAgentData?: {
    readonly brands?: readonly { readonly brand: string }[];
    readonly mobile?: boolean;
    readonly platform?: string;
  };
}

/** The three fields of a session that tell what it was made with. */
export interface Device {
  readonly device_type: DeviceType;
  readonly browser: Browser;
  readonly os: OperatingSystem;
}

export function detectDevice({ userAgent, maxTouchPoints = 0, userAgentData: hints }: NavigatorLike): Device {
  const isMobile = hints?.mobile ?? /Mobi/.test(userAgent);
  // iPads ask for desktop pages under a Mac's name; no Mac has a touch screen.
  const isIpad = /iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1 && !hints);
  const os = isIpad ? 'iOS' : systemOf(hints?.platform || userAgent);
  return {
    device_type: isIpad || (os === 'Android' && !isMobile) ? 'tablet' : isMobile ? 'mobile' : 'desktop',
    browser: browserOf(userAgent + JSON.stringify(hints?.brands)),
    os,
  };
}

/**
 * Most browsers claim to be several others, so that the order counts: Edge and Opera also say Chrome, Chrome also says Safari.
 * Samsung Internet, Brave and Android's WebView say Chrome and count as it; Apple's WebKit, where nobody names himself, is Safari.
 */
function browserOf(names: string): Browser {
  if (/Edg/.test(names)) return 'Edge';
  if (/OP([RTX]|iOS)\/|Opera/.test(names)) return 'Opera';
  if (/Firefox|FxiOS/.test(names)) return 'Firefox';
  if (/Chrom|CriOS/.test(names)) return 'Chrome';
  return /Mac.*WebKit/.test(names) ? 'Safari' : 'Unknown';
}

/** Windows phones also say Android, iPhones also say Mac OS X, and Android also says Linux. ChromeOS is a Linux. */
function systemOf(names: string): OperatingSystem {
  if (/Windows/.test(names)) return 'Windows';
  if (/iP(hone|od)|iOS/.test(names)) return 'iOS';
  if (/Android/.test(names)) return 'Android';
  if (/Mac|macOS/.test(names)) return 'macOS';
  return /Linux|CrOS|Chrom\w+ OS/.test(names) ? 'Linux' : 'Unknown';
}
