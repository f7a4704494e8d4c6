-- AlterTable
ALTER TABLE "users" ADD COLUMN     "date_format" TEXT NOT NULL DEFAULT 'auto',
ADD COLUMN     "duty_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "enrol_by" TIMESTAMPTZ(3),
ADD COLUMN     "enrol_reminded" TIMESTAMPTZ(3),
ADD COLUMN     "hour_cycle" TEXT NOT NULL DEFAULT 'auto';

-- CreateTable
CREATE TABLE "factor_duties" (
    "reseller_id" INTEGER NOT NULL,
    "required_from" DATE NOT NULL,
    "grace_days" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "factor_duties_pkey" PRIMARY KEY ("reseller_id")
);

-- CreateTable
CREATE TABLE "sign_up_refusals" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "domain" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "ip_bucket" BYTEA NOT NULL,

    CONSTRAINT "sign_up_refusals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sign_up_refusals_at_idx" ON "sign_up_refusals"("at");

-- AddForeignKey
ALTER TABLE "factor_duties" ADD CONSTRAINT "factor_duties_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "factor_duties" ADD CONSTRAINT "factor_duties_grace_days_check" CHECK ("grace_days" BETWEEN 0 AND 365);
ALTER TABLE "users" ADD CONSTRAINT "users_date_format_check" CHECK ("date_format" IN ('auto', 'dmy', 'mdy', 'ymd'));
ALTER TABLE "users" ADD CONSTRAINT "users_hour_cycle_check" CHECK ("hour_cycle" IN ('auto', 'h23', 'h12'));

-- Few accounts have something due at any time.
CREATE INDEX "users_enrol_by_idx" ON "users" ("enrol_by") WHERE "enrol_by" IS NOT NULL;

-- Until when an account needs a second factor or a passkey: the earliest end of the days of grace of the duties that it is
-- under, null when it has one or is under none. The lock is shared by all who ask; whoever changes a duty takes it alone and
-- so waits for the accounts that were changed under the old one. Each statement here sees what was committed before it.
CREATE FUNCTION "second_factor_due"("account" "users") RETURNS timestamptz
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  kind text := CASE WHEN account.is_agent_only THEN 'agent' ELSE account.role::text END;
BEGIN
  IF account.anonymised_at IS NOT NULL THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(7355112);
  IF EXISTS (SELECT FROM factors f WHERE f.user_id = account.id AND f.confirmed_at IS NOT NULL)
     OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = account.id) THEN RETURN NULL; END IF;
  RETURN (
    SELECT min(greatest(d.required_from::timestamp AT TIME ZONE 'Europe/Istanbul', account.duty_since) + make_interval(days => d.grace_days))
      FROM (SELECT (s.value -> kind ->> 'required_from')::date AS required_from, (s.value -> kind ->> 'grace_days')::int AS grace_days
              FROM settings s WHERE s.key = 'two_factor_duty' AND jsonb_typeof(s.value -> kind) = 'object'
             UNION ALL
            SELECT f.required_from, f.grace_days
              FROM factor_duties f JOIN users r ON r.id = f.reseller_id AND r.role = 'reseller'
             WHERE account.role = 'user'
               AND f.reseller_id = coalesce(account.reseller_id,
                     (SELECT CASE WHEN above.role = 'reseller' THEN above.id ELSE above.reseller_id END
                        FROM users above WHERE above.id = account.parent_user_id))) AS d);
END $$;

-- Locks the account first: what is read after that is what somebody else who changes it has committed.
CREATE FUNCTION "keep_second_factor_due"("of_user" integer) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM 1 FROM users u WHERE u.id = of_user FOR NO KEY UPDATE;
  UPDATE users u SET enrol_by = second_factor_due(u) WHERE u.id = of_user AND u.enrol_by IS DISTINCT FROM second_factor_due(u);
END $$;

CREATE FUNCTION "users_second_factor_due"() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.role, NEW.is_agent_only, NEW.reseller_id, NEW.parent_user_id)
       IS DISTINCT FROM (OLD.role, OLD.is_agent_only, OLD.reseller_id, OLD.parent_user_id) THEN
    NEW.duty_since := now();
  END IF;
  NEW.enrol_by := second_factor_due(NEW);
  RETURN NEW;
END $$;

CREATE TRIGGER "users_second_factor_due_new" BEFORE INSERT ON "users"
  FOR EACH ROW EXECUTE FUNCTION "users_second_factor_due"();
CREATE TRIGGER "users_second_factor_due_changed"
  BEFORE UPDATE OF "role", "is_agent_only", "reseller_id", "parent_user_id", "anonymised_at" ON "users"
  FOR EACH ROW WHEN ((NEW.role, NEW.is_agent_only, NEW.reseller_id, NEW.parent_user_id, NEW.anonymised_at)
    IS DISTINCT FROM (OLD.role, OLD.is_agent_only, OLD.reseller_id, OLD.parent_user_id, OLD.anonymised_at))
  EXECUTE FUNCTION "users_second_factor_due"();

-- The team below an account is under the duty of the reseller above it.
CREATE FUNCTION "team_second_factor_due"() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_second_factor_due(u.id) FROM (SELECT id FROM users WHERE parent_user_id = NEW.id ORDER BY id) u;
  RETURN NULL;
END $$;

CREATE TRIGGER "users_second_factor_due_below" AFTER UPDATE OF "role", "reseller_id" ON "users"
  FOR EACH ROW WHEN ((NEW.role, NEW.reseller_id) IS DISTINCT FROM (OLD.role, OLD.reseller_id))
  EXECUTE FUNCTION "team_second_factor_due"();

CREATE FUNCTION "ways_in_second_factor_due"() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_second_factor_due(CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END);
  RETURN NULL;
END $$;

CREATE TRIGGER "factors_second_factor_due_new" AFTER INSERT ON "factors"
  FOR EACH ROW WHEN (NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION "ways_in_second_factor_due"();
CREATE TRIGGER "factors_second_factor_due_changed" AFTER UPDATE OF "confirmed_at" ON "factors"
  FOR EACH ROW WHEN (NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at) EXECUTE FUNCTION "ways_in_second_factor_due"();
CREATE TRIGGER "factors_second_factor_due_gone" AFTER DELETE ON "factors"
  FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION "ways_in_second_factor_due"();
CREATE TRIGGER "passkeys_second_factor_due" AFTER INSERT OR DELETE ON "passkeys"
  FOR EACH ROW EXECUTE FUNCTION "ways_in_second_factor_due"();
