-- CreateTable
CREATE TABLE "key_call_stats" (
    "id" BIGSERIAL NOT NULL,
    "token_id" INTEGER,
    "external_key_id" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,

    CONSTRAINT "key_call_stats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "activity_samples" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "accounts" INTEGER NOT NULL,

    CONSTRAINT "activity_samples_pkey" PRIMARY KEY ("at")
);

-- CreateTable
CREATE TABLE "request_stats" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "succeeded" INTEGER NOT NULL,
    "rejected" INTEGER NOT NULL,
    "throttled" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "durations" INTEGER[],

    CONSTRAINT "request_stats_pkey" PRIMARY KEY ("at")
);

-- CreateTable
CREATE TABLE "site_changes" (
    "id" BIGSERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created" INTEGER NOT NULL,
    "active" INTEGER NOT NULL,
    "suspended" INTEGER NOT NULL,

    CONSTRAINT "site_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connection_checks" (
    "id" BIGSERIAL NOT NULL,
    "connection_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "outcome" TEXT NOT NULL,

    CONSTRAINT "connection_checks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "key_call_stats_external_key_id_at_idx" ON "key_call_stats"("external_key_id", "at");

-- CreateIndex
CREATE INDEX "key_call_stats_at_idx" ON "key_call_stats"("at");

-- CreateIndex
CREATE INDEX "site_changes_user_id_at_idx" ON "site_changes"("user_id", "at");

-- CreateIndex
CREATE INDEX "connection_checks_connection_id_at_idx" ON "connection_checks"("connection_id", "at");

-- CreateIndex
CREATE INDEX "connection_checks_at_idx" ON "connection_checks"("at");

-- AddForeignKey
ALTER TABLE "key_call_stats" ADD CONSTRAINT "key_call_stats_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "access_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "key_call_stats" ADD CONSTRAINT "key_call_stats_external_key_id_fkey" FOREIGN KEY ("external_key_id") REFERENCES "external_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_changes" ADD CONSTRAINT "site_changes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_checks" ADD CONSTRAINT "connection_checks_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One row for what is counted together; one of the keys is null.
CREATE UNIQUE INDEX "key_call_stats_counted_key" ON "key_call_stats"("token_id", "external_key_id", "at") NULLS NOT DISTINCT;

ALTER TABLE "key_call_stats" ADD CONSTRAINT "key_call_stats_of_one_key" CHECK (("token_id" IS NULL) <> ("external_key_id" IS NULL));

-- Name of the plan that was paid for, because joining 100,000 subscriptions takes too long.
-- A trigger, because the release before this one does not write it.
ALTER TABLE "payments" ADD COLUMN "plan_name" TEXT;
UPDATE payments p SET plan_name = s.plan_name FROM subscriptions s WHERE s.id = p.subscription_id;
CREATE FUNCTION take_plan_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.plan_name := (SELECT plan_name FROM subscriptions WHERE id = NEW.subscription_id);
  RETURN NEW;
END $$;
CREATE TRIGGER "payments_take_plan" BEFORE INSERT ON "payments"
  FOR EACH ROW WHEN (NEW.subscription_id IS NOT NULL AND NEW.plan_name IS NULL) EXECUTE FUNCTION take_plan_of_payment();

-- Rows of a period are counted in these indexes, without reading the tables.
CREATE INDEX "payments_series" ON "payments"("paid_at") INCLUDE ("plan_name", "currency", "amount_minor")
  WHERE "state" = 'recorded';
CREATE INDEX "accounting_documents_series" ON "accounting_documents"("created_at") INCLUDE ("state");
CREATE INDEX "credit_entries_series" ON "credit_entries"("user_id", "created_at") INCLUDE ("amount", "reason", "balance");
CREATE INDEX "webhook_deliveries_series" ON "webhook_deliveries"("endpoint_id", "created_at") INCLUDE ("state", "attempts");

ALTER TABLE "connection_checks" ADD CONSTRAINT "connection_checks_outcome" CHECK ("outcome" IN ('ok', 'unreachable', 'dead'));

-- Triggers, because many statements create, suspend, activate, move and delete sites.
CREATE FUNCTION record_new_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO site_changes (user_id, at, created, active, suspended) VALUES (NEW.user_id, NEW.created_at, 1, 1, 0);
  IF NOT NEW.is_active THEN
    INSERT INTO site_changes (user_id, at, created, active, suspended)
    VALUES (NEW.user_id, greatest(NEW.suspended_at, NEW.created_at), 0, -1, 1);
  END IF;
  IF NEW.deleted_at IS NOT NULL THEN
    INSERT INTO site_changes (user_id, at, created, active, suspended)
    VALUES (NEW.user_id, greatest(NEW.deleted_at, NEW.created_at), 0, -(NEW.is_active)::int, -(NOT NEW.is_active)::int);
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION record_site_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := now();
BEGIN
  IF OLD.deleted_at IS NULL THEN
    INSERT INTO site_changes (user_id, at, created, active, suspended)
    VALUES (OLD.user_id, moment, 0, -(OLD.is_active)::int, -(NOT OLD.is_active)::int);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW.deleted_at IS NULL THEN
      INSERT INTO site_changes (user_id, at, created, active, suspended)
      VALUES (NEW.user_id, moment, 0, NEW.is_active::int, (NOT NEW.is_active)::int);
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "sites_record_new" AFTER INSERT ON "sites"
  FOR EACH ROW EXECUTE FUNCTION record_new_site();
CREATE TRIGGER "sites_record_change" AFTER UPDATE OF "user_id", "is_active", "deleted_at" ON "sites"
  FOR EACH ROW
  WHEN (NEW.user_id <> OLD.user_id OR NEW.is_active <> OLD.is_active
        OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL))
  EXECUTE FUNCTION record_site_change();
CREATE TRIGGER "sites_record_end" AFTER DELETE ON "sites"
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION record_site_change();

-- Sites as they are: earlier suspensions and deleted sites are not known.
INSERT INTO site_changes (user_id, at, created, active, suspended)
SELECT user_id, created_at, 1, 1, 0 FROM sites
UNION ALL
SELECT user_id, greatest(coalesce(suspended_at, updated_at), created_at), 0, -1, 1 FROM sites WHERE NOT is_active
UNION ALL
SELECT user_id, greatest(deleted_at, created_at), 0, -(is_active)::int, -(NOT is_active)::int FROM sites
 WHERE deleted_at IS NOT NULL;
