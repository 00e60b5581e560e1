/** What decides, beside consent, whether a visit may be tracked. */
export interface PermissionOptions {
  /** Tracks browsers that send Global Privacy Control too; they are left alone unless set. */
  ignoreGpc?: boolean | undefined;
  /** Tracks automated browsers and crawlers too, as tests want it; they start no session unless set. */
  allowBots?: boolean | undefined;
}

/** The part of `navigator` that tells whom to leave alone. */
interface NavigatorLike {
  readonly userAgent: string;
  readonly webdriver?: boolean;
  readonly globalPrivacyControl?: boolean;
}

/** The letter before "bot" keeps CUBOT, a maker of phones, out. */
const BOT = /[^u]bot|crawl|spider|headless|preview|external|-google|google-/i;

export function mayTrack(
  { ignoreGpc, allowBots }: PermissionOptions,
  { userAgent, webdriver, globalPrivacyControl }: NavigatorLike = navigator,
): boolean {
  return !(globalPrivacyControl && !ignoreGpc) && !((webdriver || BOT.test(userAgent)) && !allowBots);
}
