/** Looks up DNS records. */
export interface Dns {
  /**
   * The records of a domain: addresses, or for `MX` the names of its mail servers, where an empty name means that it
   * accepts no email. Empty if the domain has no records of this type, null if the domain does not exist. Rejects if
   * that cannot be determined.
   */
  resolve(domain: string, type: 'MX' | 'A' | 'AAAA'): Promise<readonly string[] | null>;
}
