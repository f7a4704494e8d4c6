/** Numbers of the advisory locks, arbitrary and each for one thing; all of them end with their transaction. */
export const ADVISORY = {
  /** Entries of the consents' ledger are appended one after the other. */
  consents: 7_355_107,
  /** Administrators come and go one after the other. */
  administrators: 7_355_108,
  /** Texts are published and signed one after the other. */
  signatures: 7_355_109,
  /** With the account's number: of several sign-ins at once, each counts those before it. */
  signIns: 7_355_110,
  /** A setting that nobody has set has no row to lock. */
  settings: 7_355_111,
  /** Who needs a second factor changes before or after an account does; triggers of `users` share it. */
  duties: 7_355_112,
  /** Seals of the audit log are made, and thinned out, one after the other. */
  seals: 7_355_121,
  /** While a backup is made, it alone; each removal of a stored file shares it. */
  backup: 7_355_122,
  /** Servers that start at once migrate one after the other. */
  migrations: 7_355_261_803,
} as const;
