-- A renewal waits for its payment, or is paid, while the year before it still runs: what may not overlap are the
-- periods that licences of one site pay for.
CREATE EXTENSION IF NOT EXISTS "btree_gist";
DROP INDEX "site_licences_open_key";
ALTER TABLE "site_licences" ADD CONSTRAINT "site_licences_open_periods" EXCLUDE USING gist
  ("site_id" WITH =, tstzrange("period_start", "period_end") WITH &&) WHERE ("status" IN ('pending', 'active'));
