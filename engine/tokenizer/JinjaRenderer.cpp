#include "engine/tokenizer/JinjaRenderer.h"

#include "engine/tokenizer/JinjaFunctions.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

namespace engine {

namespace {

using Kind = JinjaValue::Kind;
using Node = JinjaExpression;
using Scope = std::map<std::string, JinjaValue, std::less<>>;

constexpr int kDeepest = 200;
constexpr std::int64_t kMostSteps = 500000;
constexpr std::size_t kLongestText = std::size_t{64} << 20;

class Renderer
{
public:
    Renderer(std::vector<std::pair<std::string, JinjaValue>> variables, CalendarDay today)
        : m_today(today)
    {
        m_scopes.emplace_back();
        for (const char* name : {"raise_exception", "namespace", "range", "dict"})
            m_scopes.back().emplace(name, JinjaValue::function(name));
        for (auto& [name, value] : variables)
            m_scopes.back().insert_or_assign(name, std::move(value));
    }

    Result<MarkedText> run(const JinjaBody& body)
    {
        MarkedText output;
        renderBody(body, output);
        if (!m_error.empty())
            return Error{ErrorCode::UnsupportedFeature, "chat template: " + m_error};
        return output;
    }

private:
    enum class Flow
    {
        Next,
        Break,
        Continue,
    };

    JinjaValue fail(std::string message)
    {
        if (m_error.empty())
            m_error = std::move(message);
        return {};
    }
    bool failed() const { return !m_error.empty(); }

    /// Counts work; a template that does far more than any is stopped.
    bool mayGoOn()
    {
        if (++m_steps > kMostSteps)
            fail("it does not come to an end");
        return !failed();
    }

    Flow renderBody(const JinjaBody& body, MarkedText& output)
    {
        for (const JinjaStatement& statement : body) {
            if (!mayGoOn())
                return Flow::Break;
            const Flow flow = render(statement, output);
            if (output.size() > kLongestText)
                fail("it writes too much");
            if (flow != Flow::Next)
                return flow;
        }
        return Flow::Next;
    }

    Flow render(const JinjaStatement& statement, MarkedText& output)
    {
        using Statement = JinjaStatement::Kind;
        switch (statement.kind) {
        case Statement::Text:
            output.append(MarkedText::plain(statement.name));
            break;
        case Statement::Output:
            output.append(evaluate(*statement.expressions[0]).shown());
            break;
        case Statement::If:
            for (std::size_t i = 0; i < statement.bodies.size(); ++i)
                if (i >= statement.expressions.size() ||
                    evaluate(*statement.expressions[i]).isTrue())
                    return renderBody(statement.bodies[i], output);
            break;
        case Statement::For:
            renderLoop(statement, output);
            break;
        case Statement::Set:
            assign(statement);
            break;
        case Statement::SetBlock: {
            MarkedText block;
            renderBody(statement.bodies[0], block);
            m_scopes.back().insert_or_assign(statement.targets[0],
                                             JinjaValue::string(std::move(block)));
            break;
        }
        case Statement::Macro:
            m_macros[statement.name] = &statement;
            m_scopes.back().insert_or_assign(statement.name, JinjaValue::function(statement.name));
            break;
        case Statement::Group:
            return renderBody(statement.bodies[0], output);
        case Statement::Break:
            return Flow::Break;
        case Statement::Continue:
            return Flow::Continue;
        }
        return Flow::Next;
    }

    void assign(const JinjaStatement& statement)
    {
        const JinjaValue value = evaluate(*statement.expressions[0]);
        if (!statement.name.empty()) {
            JinjaValue* target = find(statement.targets[0]);
            if (!target || !target->is(Kind::Map) || !target->member(kNamespaceMark))
                fail("\"" + statement.targets[0] + "\" is no namespace");
            else
                target->setMember(statement.name, value);
            return;
        }
        bind(statement.targets, value, m_scopes.back());
    }

    void bind(const std::vector<std::string>& targets, const JinjaValue& value, Scope& scope)
    {
        if (targets.size() == 1) {
            scope.insert_or_assign(targets[0], value);
            return;
        }
        if (!value.is(Kind::List) || value.list->size() != targets.size()) {
            fail("expected " + std::to_string(targets.size()) + " values for as many names");
            return;
        }
        for (std::size_t i = 0; i < targets.size(); ++i)
            scope.insert_or_assign(targets[i], (*value.list)[i]);
    }

    void renderLoop(const JinjaStatement& statement, MarkedText& output)
    {
        auto elements = jinjaElements(evaluate(*statement.expressions[0]));
        if (!elements) {
            fail("a loop goes over what has no elements");
            return;
        }
        if (const Node* condition = statement.expressions[1].get())
            std::erase_if(*elements, [&](const JinjaValue& element) {
                m_scopes.emplace_back();
                bind(statement.targets, element, m_scopes.back());
                const bool drops = !evaluate(*condition).isTrue();
                m_scopes.pop_back();
                return drops;
            });
        if (elements->empty())
            renderBody(statement.bodies[1], output);
        for (std::size_t i = 0; i < elements->size() && mayGoOn(); ++i) {
            m_scopes.emplace_back();
            bind(statement.targets, (*elements)[i], m_scopes.back());
            m_scopes.back().insert_or_assign("loop", loopState(*elements, i));
            const Flow flow = renderBody(statement.bodies[0], output);
            m_scopes.pop_back();
            if (flow == Flow::Break)
                break;
        }
    }

    static JinjaValue loopState(const JinjaValue::List& elements, std::size_t index)
    {
        const auto count = static_cast<std::int64_t>(elements.size());
        const auto at = static_cast<std::int64_t>(index);
        JinjaValue::Map state = {{"index", JinjaValue::number(at + 1)},
                                 {"index0", JinjaValue::number(at)},
                                 {"revindex", JinjaValue::number(count - at)},
                                 {"revindex0", JinjaValue::number(count - at - 1)},
                                 {"first", JinjaValue::boolean(at == 0)},
                                 {"last", JinjaValue::boolean(at + 1 == count)},
                                 {"length", JinjaValue::number(count)}};
        if (index > 0)
            state.emplace_back("previtem", elements[index - 1]);
        if (index + 1 < elements.size())
            state.emplace_back("nextitem", elements[index + 1]);
        return JinjaValue::mapOf(std::move(state));
    }

    JinjaValue* find(std::string_view name)
    {
        for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end())
                return &found->second;
        return nullptr;
    }

    JinjaValue evaluate(const Node& node)
    {
        if (m_depth >= kDeepest)
            fail("it is nested too deep");
        if (!mayGoOn())
            return {};
        ++m_depth;
        JinjaValue value = evaluated(node);
        --m_depth;
        return value;
    }

    JinjaValue evaluated(const Node& node)
    {
        switch (node.kind) {
        case Node::Kind::Literal:
            return node.literal;
        case Node::Kind::Name:
            if (const JinjaValue* value = find(node.name))
                return *value;
            return {};
        case Node::Kind::List: {
            JinjaValue::List values;
            for (const auto& child : node.children)
                values.push_back(evaluate(*child));
            return JinjaValue::listOf(std::move(values));
        }
        case Node::Kind::Map: {
            JinjaValue map = JinjaValue::mapOf({});
            for (std::size_t i = 0; i + 1 < node.children.size(); i += 2)
                map.setMember(evaluate(*node.children[i]).shown().bytes,
                              evaluate(*node.children[i + 1]));
            return map;
        }
        case Node::Kind::Member:
            return element(evaluate(*node.children[0]), JinjaValue::string(node.name));
        case Node::Kind::Subscript:
            return element(evaluate(*node.children[0]), evaluate(*node.children[1]));
        case Node::Kind::Slice:
            return slice(node);
        case Node::Kind::Call:
            return call(node);
        case Node::Kind::Filter:
            return filter(node);
        case Node::Kind::Test:
            return test(node);
        case Node::Kind::Not:
            return JinjaValue::boolean(!evaluate(*node.children[0]).isTrue());
        case Node::Kind::Negative:
            return JinjaValue::number(-evaluate(*node.children[0]).integer);
        case Node::Kind::Binary:
            return binary(node);
        case Node::Kind::Conditional:
            return evaluate(*node.children[1]).isTrue() ? evaluate(*node.children[0])
                                                        : evaluate(*node.children[2]);
        }
        return {};
    }

    JinjaValue element(const JinjaValue& base, const JinjaValue& key)
    {
        if (base.is(Kind::Undefined))
            return fail("it asks for \"" + key.shown().bytes + "\" of what is not defined");
        if (base.is(Kind::Map)) {
            const JinjaValue* member = base.member(key.shown().bytes);
            return member ? *member : JinjaValue();
        }
        if (!key.is(Kind::Integer))
            return {};
        const auto elements = jinjaElements(base);
        const auto count = static_cast<std::int64_t>(elements ? elements->size() : 0);
        const std::int64_t at = key.integer < 0 ? key.integer + count : key.integer;
        return at >= 0 && at < count ? (*elements)[static_cast<std::size_t>(at)] : JinjaValue();
    }

    JinjaValue slice(const Node& node)
    {
        const JinjaValue base = evaluate(*node.children[0]);
        const auto elements = jinjaElements(base);
        if (!elements || base.is(Kind::Map) || base.is(Kind::Undefined))
            return fail("it takes a part of what has none");
        const auto count = static_cast<std::int64_t>(elements->size());
        const auto bound = [&](std::size_t child, std::int64_t otherwise) {
            const Node* expression = node.children[child].get();
            const JinjaValue value = expression ? evaluate(*expression) : JinjaValue::none();
            return value.is(Kind::Integer) ? value.integer : otherwise;
        };
        const std::int64_t step = bound(3, 1);
        if (step == 0)
            return fail("a part has steps of 0");
        // As Python's slice.indices.
        const std::int64_t low = step > 0 ? 0 : -1;
        const std::int64_t high = step > 0 ? count : count - 1;
        const auto clamp = [&](std::int64_t at) {
            return std::clamp(at < 0 ? at + count : at, low, high);
        };
        constexpr std::int64_t kLeftOut = std::numeric_limits<std::int64_t>::min();
        const std::int64_t first = bound(1, kLeftOut);
        const std::int64_t last = bound(2, kLeftOut);
        const std::int64_t begin = first == kLeftOut ? (step > 0 ? low : high) : clamp(first);
        const std::int64_t end = last == kLeftOut ? (step > 0 ? high : low) : clamp(last);
        JinjaValue::List chosen;
        for (std::int64_t at = begin; step > 0 ? at < end : at > end; at += step)
            chosen.push_back((*elements)[static_cast<std::size_t>(at)]);
        if (!base.is(Kind::Text))
            return JinjaValue::listOf(std::move(chosen));
        MarkedText text;
        for (const JinjaValue& character : chosen)
            text.append(character.text);
        return JinjaValue::string(std::move(text));
    }

    JinjaArguments arguments(const Node& node)
    {
        JinjaArguments result;
        const std::size_t named = node.children.size() - node.keywords.size();
        for (std::size_t i = 1; i < node.children.size(); ++i) {
            JinjaValue value = evaluate(*node.children[i]);
            if (i < named)
                result.values.push_back(std::move(value));
            else
                result.named.emplace_back(node.keywords[i - named], std::move(value));
        }
        return result;
    }

    JinjaValue call(const Node& node)
    {
        const Node& callee = *node.children[0];
        const JinjaArguments given = arguments(node);
        if (callee.kind == Node::Kind::Member) {
            const JinjaValue base = evaluate(*callee.children[0]);
            if (const auto result = callJinjaMethod(callee.name, base, given))
                return *result;
            return fail("the method \"" + callee.name + "\" is not supported");
        }
        if (callee.kind == Node::Kind::Name && callee.name == "strftime_now" && !find(callee.name))
            return date(given.get(0).text.bytes);
        const JinjaValue function = evaluate(callee);
        if (!function.is(Kind::Function))
            return fail("\"" + callee.name + "\" is no function");
        return callFunction(function.text.bytes, given);
    }

    JinjaValue callFunction(const std::string& name, const JinjaArguments& given)
    {
        if (const auto macro = m_macros.find(name); macro != m_macros.end())
            return callMacro(*macro->second, given);
        if (name == "raise_exception")
            return fail("it refuses this conversation: " + given.get(0).shown().bytes);
        if (name == "namespace" || name == "dict") {
            JinjaValue map = JinjaValue::mapOf({});
            for (const auto& [key, value] : given.named)
                map.setMember(key, value);
            if (name == "namespace")
                map.setMember(kNamespaceMark, JinjaValue::none());
            return map;
        }
        return range(given);
    }

    JinjaValue range(const JinjaArguments& given)
    {
        const bool hasBegin = given.values.size() > 1;
        const std::int64_t begin = hasBegin ? given.get(0).integer : 0;
        const std::int64_t end = given.get(hasBegin ? 1 : 0).integer;
        const std::int64_t step = given.values.size() > 2 ? given.get(2).integer : 1;
        if (step == 0)
            return fail("a range has steps of 0");
        JinjaValue::List numbers;
        for (std::int64_t at = begin; (step > 0 ? at < end : at > end) && mayGoOn(); at += step)
            numbers.push_back(JinjaValue::number(at));
        return JinjaValue::listOf(std::move(numbers));
    }

    JinjaValue callMacro(const JinjaStatement& macro, const JinjaArguments& given)
    {
        if (given.values.size() > macro.targets.size())
            return fail("the macro \"" + macro.name + "\" is given too many values");
        Scope scope;
        for (std::size_t i = 0; i < macro.targets.size(); ++i) {
            JinjaValue value = given.get(i, macro.targets[i]);
            if (value.is(Kind::Undefined) && macro.expressions[i])
                value = evaluate(*macro.expressions[i]);
            scope.insert_or_assign(macro.targets[i], std::move(value));
        }
        // A macro sees what stands outside all blocks, not its caller's names.
        std::vector<Scope> callers(std::make_move_iterator(m_scopes.begin() + 1),
                                   std::make_move_iterator(m_scopes.end()));
        m_scopes.resize(1);
        m_scopes.push_back(std::move(scope));
        MarkedText output;
        ++m_depth;
        if (m_depth >= kDeepest)
            fail("it is nested too deep");
        else
            renderBody(macro.bodies[0], output);
        --m_depth;
        m_scopes.resize(1);
        std::move(callers.begin(), callers.end(), std::back_inserter(m_scopes));
        return JinjaValue::string(std::move(output));
    }

    JinjaValue filter(const Node& node)
    {
        const JinjaValue value = evaluate(*node.children[0]);
        const JinjaArguments given = arguments(node);
        if (failed())
            return {};
        if (node.name == "map")
            return mapElements(value, given);
        if (node.name == "select" || node.name == "reject" || node.name == "selectattr" ||
            node.name == "rejectattr")
            return chooseElements(node.name, value, given);
        if (auto result = applyJinjaFilter(node.name, value, given))
            return *std::move(result);
        return fail("the filter \"" + node.name + "\" is not supported here");
    }

    JinjaValue mapElements(const JinjaValue& value, const JinjaArguments& given)
    {
        const JinjaValue attribute = given.get(given.values.size(), "attribute");
        auto elements = jinjaElements(value);
        if (!elements)
            return fail("the filter \"map\" is given what has no elements");
        for (JinjaValue& each : *elements) {
            if (attribute.is(Kind::Text)) {
                each = element(each, attribute);
                continue;
            }
            JinjaArguments rest;
            if (given.values.size() > 1)
                rest.values.assign(given.values.begin() + 1, given.values.end());
            auto result = applyJinjaFilter(given.get(0).text.bytes, each, rest);
            if (!result)
                return fail("the filter \"" + given.get(0).text.bytes + "\" is not supported here");
            each = *std::move(result);
        }
        return JinjaValue::listOf(*std::move(elements));
    }

    JinjaValue chooseElements(const std::string& name, const JinjaValue& value,
                              const JinjaArguments& given)
    {
        const bool byAttribute = name.ends_with("attr");
        const std::size_t at = byAttribute ? 1 : 0; // of the test's name
        auto elements = jinjaElements(value);
        if (!elements || (byAttribute && given.values.empty()))
            return fail("the filter \"" + name + "\" is given what has no elements");
        JinjaArguments rest;
        if (given.values.size() > at + 1)
            rest.values.assign(given.values.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                               given.values.end());
        JinjaValue::List chosen;
        for (const JinjaValue& each : *elements) {
            const JinjaValue tested = byAttribute ? element(each, given.values[0]) : each;
            std::optional<bool> holds = tested.isTrue();
            if (given.values.size() > at)
                holds = applyJinjaTest(given.values[at].text.bytes, tested, rest);
            if (!holds)
                return fail("the test \"" + given.values[at].text.bytes + "\" is not supported");
            if (*holds == name.starts_with("select"))
                chosen.push_back(each);
        }
        return JinjaValue::listOf(std::move(chosen));
    }

    JinjaValue test(const Node& node)
    {
        const auto holds = applyJinjaTest(node.name, evaluate(*node.children[0]), arguments(node));
        if (!holds)
            return fail("the test \"" + node.name + "\" is not supported here");
        return JinjaValue::boolean(*holds);
    }

    JinjaValue binary(const Node& node)
    {
        const JinjaValue left = evaluate(*node.children[0]);
        if (node.name == "and")
            return left.isTrue() ? evaluate(*node.children[1]) : left;
        if (node.name == "or")
            return left.isTrue() ? left : evaluate(*node.children[1]);
        const JinjaValue right = evaluate(*node.children[1]);
        if (failed())
            return {};
        if (node.name == "==" || node.name == "!=")
            return JinjaValue::boolean((left == right) == (node.name == "=="));
        if (node.name == "in") {
            const auto contains = jinjaContains(right, left);
            return contains ? JinjaValue::boolean(*contains)
                            : fail("\"in\" is asked of what has no elements");
        }
        if (node.name == "~" || (node.name == "+" && left.is(Kind::Text) && right.is(Kind::Text))) {
            MarkedText text = left.shown();
            text.append(right.shown());
            if (text.size() > kLongestText)
                return fail("it writes too much");
            return JinjaValue::string(std::move(text));
        }
        if (node.name == "+" && left.is(Kind::List) && right.is(Kind::List)) {
            JinjaValue::List both = *left.list;
            both.insert(both.end(), right.list->begin(), right.list->end());
            m_steps += static_cast<std::int64_t>(both.size());
            return JinjaValue::listOf(std::move(both));
        }
        return arithmetic(node.name, left, right);
    }

    JinjaValue arithmetic(const std::string& name, const JinjaValue& left, const JinjaValue& right)
    {
        const auto isNumber = [](const JinjaValue& value) {
            return value.is(Kind::Integer) || value.is(Kind::Boolean);
        };
        const std::int64_t a = left.integer;
        const std::int64_t b = right.integer;
        constexpr std::int64_t kLargest = std::int64_t{1} << 31; // no sum or product overflows
        if (!isNumber(left) || !isNumber(right) || std::max(std::abs(a), std::abs(b)) > kLargest)
            return fail("the operator \"" + name + "\" is not supported for such values");
        if (name == "+")
            return JinjaValue::number(a + b);
        if (name == "-")
            return JinjaValue::number(a - b);
        if (name == "*")
            return JinjaValue::number(a * b);
        if (name == "<")
            return JinjaValue::boolean(a < b);
        if (name == ">")
            return JinjaValue::boolean(a > b);
        if (name == "<=")
            return JinjaValue::boolean(a <= b);
        if (name == ">=")
            return JinjaValue::boolean(a >= b);
        if (b == 0)
            return fail("it divides by 0");
        const std::int64_t remainder = (a % b + b) % b; // of b's sign, as in Python
        return JinjaValue::number(name == "%" ? remainder : (a - remainder) / b);
    }

    JinjaValue date(const std::string& format)
    {
        const auto text = m_today.written(format);
        return text ? JinjaValue::string(*text)
                    : fail("the date format \"" + format + "\" is not supported");
    }

    /// A member that no template can name.
    static constexpr std::string_view kNamespaceMark = " namespace";

    CalendarDay m_today;
    std::vector<Scope> m_scopes;
    std::map<std::string, const JinjaStatement*, std::less<>> m_macros;
    int m_depth = 0;
    std::int64_t m_steps = 0;
    std::string m_error;
};

} // namespace

Result<MarkedText> renderJinja(const JinjaBody& body,
                               std::vector<std::pair<std::string, JinjaValue>> variables,
                               CalendarDay today)
{
    return Renderer(std::move(variables), today).run(body);
}

} // namespace engine
