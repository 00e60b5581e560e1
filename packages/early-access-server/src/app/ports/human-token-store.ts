/** Used tokens of human checks. Only hashes are stored. They are deleted after they expire. */
export interface HumanTokenStore {
  /** The purpose that the token was claimed for, or null. */
  findClaim(hash: string): Promise<string | null>;
  /**
   * Claims the token for `purpose`, which is a hash. Returns whether the token is now claimed for this purpose, which
   * includes earlier claims. If calls with different purposes race, in any number of processes, exactly one purpose
   * wins. The claim may be deleted after `expiresAt`.
   */
  claim(hash: string, purpose: string, expiresAt: number): Promise<boolean>;
}
