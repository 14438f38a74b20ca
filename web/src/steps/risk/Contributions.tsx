import { useAnswer } from "../../answer";
import { figure, percent } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Card } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";

const words = texts.risk;

/** Which keys cause the risk. */
export function Contributions({ scenario }: { scenario: string }) {
  const answer = useAnswer("GET /api/contributions", { scenario });
  return (
    <Card title={words.contributions}>
      <p class="hint">{words.contributionsIntro}</p>
      <Waiting answer={answer}>
        {(found) => (
          <BarTable
            caption={words.contributions}
            quiet
            heads={words.contributionHeads}
            full={found.expected}
            rows={found.keys.map((each) => ({
              name: <code>{each.key}</code>,
              value: each.fall,
              shown: figure(each.fall, 4),
              more: [percent(found.expected ? each.fall / found.expected : 0)],
            }))}
          />
        )}
      </Waiting>
    </Card>
  );
}
