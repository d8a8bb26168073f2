"""Words that deny, except, allow, demand and charge, Chinese and English: what the sign of a clause is read from."""

import re

CLAUSE = re.compile(
    r"[，；;。！!？?\n]+|(?<=[A-Za-z0-9%)\"'’])[.:](?=\s|$)|(?<=[\u4e00-\u9fff])[:：,]|"
    r"(?=但是?|不过|除非|否则)|,\s+|(?<!\s)\s+(?=(?i:unless|except|excluding|but|although|whereas|while|provided)\b)|"
    r"(?<!\s)\s+(?=(?i:otherwise|or else)\s(?i:it|they|he|she|you|we|the|this|these|those|any|all|no)\b)|"
    r"\s?[(（](?=(?i:otherwise|or else)\b)"
)
"""Where a clause may end: Chinese at each comma; English at commas, and before words of contrast."""
VERB = re.compile(
    r"\b(?:is|are|was|were|be|may|might|can|cannot|could|must|should|will|would|shall|has|have|had|do|does|did|"
    r"need|needs|"
    r"appl(?:y|ies)|count|counts|pay|pays|get|gets|receive|receives|take|takes|include|includes|cover|covers|"
    r"\w+n['’]t|"
    r"yes|no|not|never|nobody|unless|except|but|although|whereas|while|provided|excluding|"
    r"otherwise|or else|failing|after which|lapses?|expires?)\b|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
"""A comma divides clauses, not words of a list, where one of these stands on either side."""
# A bound or an attribute denies nothing: 不超过, no more than, 无理由, 未发货的.
BOUND = re.compile(
    r"不(?:得|能|可以?|会|应)?(?:超过|低于|少于|多于|晚于|早于|高于|大于|小于|足|满|等|止)|[不无]限|无理由|"
    r"无门槛|[未没](?=[^，。；]{1,8}的[^，。；])|"
    r"(?:may|must|can|could|should|do|does|will)?\s?(?:not|cannot|n['’]t|never)\s+(?:exceed|be\s+(?:exceeded|"
    r"longer|more|less|later|higher|lower)|go\s+beyond)|"
    r"no\s+(?:more|less|later|fewer|longer|earlier|higher|lower)\s+than|not\s+(?:more|less|later|fewer|exceeding|"
    r"over|above|below|under|beyond|within)\b|"
    r"without\s+(?:reason|giving\s+a?\s?(?:name|reason)s?)|no[- ]reason|no\s+matter|non-stop|if\s+not\b|"
    r"whether\s+or\s+not|or\s+not\b",
    re.IGNORECASE,
)
# Words that deny without not.
DENYING = re.compile(
    r"拒绝|谢绝|拒收|失效|作废|排除|停止|无效|(?<![A-Za-z])(?:refused?s?|denied|deny|void|invalid|exempt(?:ed|s|"
    r"ion)?|excluded|"
    r"unable|"
    r"banned|ruled out|turn(?:ed|s)? down|reject(?:ed|s)?|declin(?:ed|es?)|out of (?:scope|service|order)|"
    r"lapses?d?|lost|fails?|"
    r"disallowed|impossible|off[- ]limits|unavailable|ineligible)(?![A-Za-z])|"
    r"(?<=[A-Za-z]-)free(?![A-Za-z])|(?<![A-Za-z])free (?:of|from)(?! charge)",
    re.IGNORECASE,
)
LISTED = re.compile(r"[(（][一二三四五六七八九十\d]{1,3}[)）]")
"""A list item: what is said of it stands above the list."""
EXCEPTION = re.compile(
    r"除外|除非|例外|除[^，。；\n]{1,30}?外|\b(?:except|unless|excluding|excepted|other than|exception)\b", re.I
)
"""An exception from the rule before it."""
OTHERWISE = re.compile(r"^\W*(?:否则|要?不然|otherwise\b|or else\b|failing (?:which|that|this)\b)", re.I)
"""Says what follows where the rule before it is not kept: nothing of the case in which it is."""
ONLY = re.compile(r"只有|只能|只限|仅限|只|仅|唯一|才|\b(?:only|solely|exclusively|just)\b", re.IGNORECASE)
"""What is said of one thing alone."""
FREE = re.compile(
    r"免费|免收|免掉|免除|免(?=[\u4e00-\u9fff]{0,4}费)|(?:不|无需|无须|不用|不必|不会|不再)(?:另行|再|"
    r"额外)?(?:收取?|付|交|支付|花钱|掏钱|收费|要钱|扣除?)|"
    r"(?<![-A-Za-z])free\b(?! of(?! charge)| from)|\b(?:without charge|no (?:extra )?(?:charge|cost|fee)s?|"
    r"at no cost|not (?:be )?charged|(?:costs?|pays?)(?: you| them| us| me)? nothing|nothing to pay|"
    r"do(?:es)?n['’]t (?:have to )?pay|not (?:have to )?pay|waived)\b",
    re.IGNORECASE,
)
"""Costs nothing. These words make a class of their own: 免费维修 denies no repair."""
CHARGED = re.compile(
    r"收取|收费|另收|加收|(?:也|要|仍|会|需|照|多)收|[收交][^，。；到款货件]{1,5}费|付费|自费|掏钱|花钱|要钱|"
    r"要收|扣除|照收|支付|\b(?:charged?|charges|fees?|pays?|paid by|"
    r"costs?)\b",
    re.IGNORECASE,
)
"""Costs something."""
UNTOUCHED = re.compile(
    r"不影响|没有影响|无影响|\b(?:not|n['’]t|never) affect|\bno effect on\b|\bregardless of\b|\bunaffected\b", re.I
)
"""What is not affected goes on: 不影响商品完好 bears 商品完好 out."""
CONDITION = re.compile(
    r"^\W*(?:如果|如|若|要是|假如|(?:if|when|where|once|in case|as long as)\b)|的$|(?<!小)时$", re.IGNORECASE
)
"""A clause that states a case and says nothing of it."""
SIGNS = re.compile(r"([\u4e00-\u9fff])不\1|有没有|是否|能否|可否|吗")
"""Signs of a question, the 不 of which denies nothing."""
ASKS_WHAT = re.compile(
    r"^\W*(?:(?:in|at|by|for|to|from|on|of|with|after|within|under|up to)\s+)?(?:what|which|who|whom|whose|when|"
    r"where|why|how)\b",
    re.I,
)
"""Begins with a question word: no question for yes or no."""
LEADING = re.compile(r"yes|no|nope|yeah|never|correct|sure|not at all|of course", re.IGNORECASE)
"""Answers before a comma."""
YES = re.compile(
    r"(?:可以|能|行|会|需要|要|是的?|有|对|支持|属于|算|适用|允许|应该|必须)[的了呀]?(?=[。，,！!；;]|$)|(?:yes|"
    r"yeah|yep|sure|correct|certainly|"
    r"of course|right)\b[,.;:!\s]*$",
    re.I,
)
"""A clause that says yes and nothing else."""
NO = re.compile(
    r"(?:不可以|不能|不行|不会|不需要|不用|不必|无需|不要|不是|不属于|不算|不适用|不支持|不允许|不得|不|没有|没|"
    r"无|否)[的了呀]?(?=[。，,！!；;]|$)|"
    r"(?:no|nope|not at all|never)\b[,.;:!\s]*$",
    re.I,
)
"""A clause that says no and nothing else."""
ASKS_WHETHER = re.compile(
    r"吗|是否|能否|可否|([\u4e00-\u9fff])不\1|有没有|^\W*(?:is|are|was|were|do|does|did|can|could|may|must|will|"
    r"would|should|"
    r"shall|has|have|am|need)\b|,\s*(?:is|are|do|does|did|can|may|must|will|should|has|have)\s+\w+[^?]*\?",
    re.I,
)
"""A question that yes or no answers."""
NO_OTHER = re.compile(
    r"其他[^，。；]{0,12}[不无没]|其余[^，。；]{0,12}[不无没]|\b(?:no|nobody|no one|none|nothing|"
    r"not any) (?:other|else)\b",
    re.I,
)
"""The rule speaks of all others too: a no about them is borne out."""
# Words of which one says what the other denies. Who pays is said either way: 由消费者承担, 公司不承担.
OPPOSITES = (
    (r"之前|以前|提前|事先|先|前(?![置台提往述])", r"之后|以后|事后|过后|后"),
    (r"室内|境内|市内", r"室外|境外|市外"),
    (r"延长|变长|加长", r"缩短|变短"),
    (r"公司|商家|我们|卖家|厂家", r"消费者|会员|用户|顾客|客户|自己|您|买家|本人"),
    (r"\b(?:before|beforehand|in advance|prior|first)\b", r"\b(?:after|afterwards|later|subsequently)\b"),
    (r"\b(?:inside|indoors?)\b", r"\b(?:outside|outdoors?)\b"),
    (r"\b(?:lengthen\w*|longer|extend\w*)\b", r"\b(?:shorten\w*|shorter)\b"),
    (r"\b(?:company|employer|we|us)\b", r"\b(?:employees?|staff|customers?|you|owners?|i|my|me)\b"),
)
GRANTS = re.compile(
    r"可以|能够|能|可|需要|必须|应当|要|会|适用|属于|包括|包含|享受|允许|支持|算|在内|计入|"
    r"\b(?:may|can|could|allowed|permitted|must|needs?|required|covers?|covered|includ\w+|appl\w+|entitled|"
    r"eligible|yes|will|is|are|counts?)\b",
    re.IGNORECASE,
)
"""Something may be, must be, or is included."""
WITHHOLDS = re.compile(
    r"[不无未]\s?(?:得|能|可|可以|许|准|允许|支持|须|需|要|必|用|会|再|适用|属于|享受|包括|包含|计入|算|予|在)|"
    r"禁止|严禁|除外|勿|"
    r"\b(?:may|must|can|could|should|need|is|are|will)\s?(?:not|n['’]t)|cannot|\b(?:no|never|nobody|none|not|"
    r"n['’]t)\b.{0,24}\b(?:may|need|cover|allow|permit|"
    r"requir|includ|apply|applies|entitle)|\b(?:excluded|forbidden|prohibited|refused|exempt|void|without)\b|"
    r"n['’]t\b",
    re.IGNORECASE,
)
"""Something may not be, need not be, or is excluded."""
ASKS_NOT = re.compile(
    r"(?:不能|不可以|不会|不用|不需要|不必|无需|不得|不行|不属于|不包括|不在|没有)[^，。？?]*[吗么]|是不是不|"
    r"^\W*\w+n['’]t\b",
    re.I,
)
"""A question that denies: yes and no to it may mean either."""
LIGHT = re.compile(
    r"\W*(?:(?:会|能|得|可以|可|再|另行|直接|要|需要|需|须|必|应|应当|被|让|给|把|以|用|由|随意|自行|继续|随便|"
    r"在|做|进行|一律|有|适用|属于|享受|包括|"
    r"包含|支持|提供|计入|算|是)+|(?:be|been|being|have|has|to|allowed|permitted|possible|necessary|required|"
    r"need|needed|"
    r"longer|"
    r"apply|applied|entitled|eligible|any|the|a|an|of|for|in|to|only|ever|also|still|automatically|already|"
    r"normally)\b\s*)*",
    re.IGNORECASE,
)
"""What may stand between a negation and the verb that it denies, and verbs that say little without their object."""
