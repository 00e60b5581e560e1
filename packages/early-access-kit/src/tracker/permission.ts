/** Besides consent, decides whether a session may be tracked. */
export interface PermissionOptions {
  /** Also tracks browsers that send Global Privacy Control. Default: false. */
  ignoreGpc?: boolean | undefined;
  /** Also tracks automated browsers and crawlers, for example in tests. Default: false. */
  allowBots?: boolean | undefined;
}

/** The part of `navigator` that is checked. */
interface NavigatorLike {
  readonly userAgent: string;
  readonly webdriver?: boolean;
  readonly globalPrivacyControl?: boolean;
}

/** The letter before "bot" excludes CUBOT, a phone manufacturer. */
const BOT = /[^u]bot|crawl|spider|headless|preview|external|-google|google-/i;

export function mayTrack(
  { ignoreGpc, allowBots }: PermissionOptions,
  { userAgent, webdriver, globalPrivacyControl }: NavigatorLike = navigator,
): boolean {
  return !(globalPrivacyControl && !ignoreGpc) && !((webdriver || BOT.test(userAgent)) && !allowBots);
}
