/** Conditions besides consent for tracking a session. */
export interface PermissionOptions {
  /** Also tracks browsers that send Global Privacy Control. Default: false. */
  ignoreGpc?: boolean | undefined;
  /** Also tracks automated browsers and crawlers, for example in tests. Default: false. */
  allowBots?: boolean | undefined;
}

/** The properties of `navigator` that are read. */
interface NavigatorLike {
  readonly userAgent: string;
  readonly webdriver?: boolean;
  readonly globalPrivacyControl?: boolean;
}

/**
 * Detects headless browsers, and bots that run scripts. Servers ignore all bots in core's list, which would be too
 * large for every visitor's page.
 */
export function mayTrack(
  { ignoreGpc, allowBots }: PermissionOptions,
  { userAgent, webdriver, globalPrivacyControl }: NavigatorLike = navigator,
): boolean {
  return !(
    (globalPrivacyControl && !ignoreGpc) ||
    ((webdriver || /http|bot\/|compatible;|headless|preview|external|-google|lighthouse|ptst/i.test(userAgent)) &&
      !allowBots)
  );
}
