import type { VariableProfile } from "../../api";
import { count, percent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { texts } from "../../texts";
import { proposed, roleIn, suggested, withRole, type Draft } from "./draft";

const words = texts.scenario.proposed;

interface Props {
  draft: Draft;
  variables: readonly VariableProfile[];
  onChange(draft: Draft): void;
}

/** The keys that are proposed, best known first, taken all at once or one by one. */
export function Proposed({ draft, variables, onChange }: Props) {
  const keys = proposed(variables);
  if (!keys.length) return null;
  const order = variables.map((each) => each.name);
  const counted = keys.some((each) => each.adds !== null);
  return (
    <Card
      title={words.title}
      aside={
        <Button small onClick={() => onChange(suggested(draft, variables))}>
          {words.use}
        </Button>
      }
    >
      <p class="hint">{words.hint}</p>
      <Scroll label={words.title}>
        <table class="proposed">
          <thead>
            <tr>
              <th scope="col">{words.heads.key}</th>
              {counted && (
                <>
                  <th scope="col" class="number">
                    {words.heads.combinations}
                  </th>
                  <th scope="col" class="number">
                    {words.heads.uniques}
                    <span class="under">{words.heads.adds}</span>
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {keys.map((each) => (
              <tr key={each.name}>
                <th scope="row">
                  <label class="take">
                    <input
                      type="checkbox"
                      checked={roleIn(draft, each.name) === "key"}
                      aria-label={words.take(each.name)}
                      onChange={(event) =>
                        onChange(withRole(draft, each.name, event.currentTarget.checked ? "key" : "none", order))
                      }
                    />
                    <span>
                      <code>{each.name}</code> {each.label}
                      <span class="under">{each.reason || words.declared}</span>
                    </span>
                  </label>
                </th>
                {counted && (
                  <>
                    <td class="number">{each.combinations === null ? "–" : count(each.combinations)}</td>
                    <td class="number">
                      {each.uniques === null ? "–" : percent(each.uniques)}
                      {each.adds !== null && <span class="under">+ {percent(each.adds)}</span>}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}
